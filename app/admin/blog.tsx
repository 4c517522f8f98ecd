import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { shownLater } from "../components/later.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { postColumns } from "./blog/post-columns.tsx";
import { PostFilters, usePostFilters } from "./blog/post-filters.tsx";

export const meta = () => [{ title: `Blog – ${brand.name}` }];

const PostEditor = shownLater<{ id: string | null }>(
  () => import("./blog/post-editor.tsx"),
  () => <ListLoading rows={6} />,
);

/** The blog's articles; the address says which one is open in the editor. */
export default function Blog() {
  const [address] = useSearchParams();
  const opened = address.get("post");
  if (opened) return <PostEditor key={opened} id={opened === "new" ? null : opened} />;
  return <PostList />;
}

function PostList() {
  const [filters] = usePostFilters();
  const mayWrite = useMayCall()("admin/posts/add");
  return (
    <ListPage
      name="admin/posts"
      input={filters}
      title="Blog"
      hint="Drafts, scheduled and published articles."
      searchLabel="Search articles"
      columns={postColumns}
      fileName="articles"
      filters={<PostFilters />}
      empty="No articles found"
      emptyHint={Object.keys(filters).length > 0 ? "Try another state or tag." : "Write the first one."}
      failure={messages.fetchFailed}
      actionsLabel="Open"
      actions={({ id, title }) => (
        <Button
          component={Link}
          to={`/admin/blog?post=${id}`}
          variant="default"
          aria-label={`${mayWrite ? "Edit" : "Read"} ${title}`}
        >
          {mayWrite ? "Edit" : "Read"}
        </Button>
      )}
    >
      {mayWrite && (
        <Button component={Link} to="/admin/blog?post=new" size="md" leftSection={<IconPlus size={18} aria-hidden />}>
          New article
        </Button>
      )}
    </ListPage>
  );
}
