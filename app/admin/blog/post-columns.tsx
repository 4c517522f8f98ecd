import { Text } from "@mantine/core";
import type { PostRow, PostSort } from "../../../contract/posts.ts";
import { showTime } from "../../components/display.ts";
import type { Column } from "../../lists/column.ts";
import { PostState, stateLabel } from "./post-state.tsx";

const timeOf = (instant: string | null) => (instant ? showTime(instant) : "–");

const addressOf = ({ slug }: PostRow) => `/blog/${slug}`;

const TitleAndAddress = ({ post }: { post: PostRow }) => (
  <>
    <bdi>{post.title}</bdi>
    <Text fz="xs" c="var(--site-muted)">
      {addressOf(post)}
    </Text>
  </>
);

export const postColumns: Column<PostRow, PostSort>[] = [
  {
    label: "Title",
    cell: (post) => <TitleAndAddress post={post} />,
    text: ({ title }) => title,
    sort: "title",
    width: 180,
  },
  { label: "Address", cell: () => null, text: addressOf, fileOnly: true },
  { label: "State", cell: (post) => <PostState post={post} />, text: stateLabel },
  { label: "Author", cell: ({ author }) => author, text: ({ author }) => author, sort: "author" },
  { label: "Tags", cell: ({ tags }) => tags.join(", ") || "–", text: ({ tags }) => tags.join(", "), below: true },
  {
    label: "Published",
    cell: ({ published_at }) => timeOf(published_at),
    text: ({ published_at }) => published_at ?? "",
  },
  {
    label: "Changed",
    cell: ({ updated_at }) => showTime(updated_at),
    text: ({ updated_at }) => updated_at,
    sort: "updated_at",
  },
  {
    label: "By",
    cell: ({ updated_by }) => updated_by ?? "–",
    text: ({ updated_by }) => updated_by ?? "",
    below: true,
  },
];
