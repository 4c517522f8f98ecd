import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { firstNode } from "../lists/first-node.ts";
import { LoadFailure } from "../lists/load-failure.tsx";
import { MoreOnScroll } from "../lists/more-on-scroll.tsx";
import { ask } from "../server-api.ts";
import { toast } from "../toast.ts";
import classes from "./blog.module.css";
import { ArticlePlaceholder, useIsOpeningPost } from "./blog/article-placeholder.tsx";
import { CardPlaceholder, PostCard } from "./blog/post-card.tsx";
import { pageMeta } from "../content/page-meta.ts";
import site from "./site.module.css";

export const meta = () =>
  pageMeta(
    "/blog",
    `Blog – ${brand.name}`,
    "Notes from the work of a security operations centre: detection, incident response, logs and compliance.",
  );

export const handle = { search: ["from"] };

/** `?from=3` is for readers without script, who can't scroll on. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const startingNode = firstNode(new URL(request.url).searchParams);
  const posts = await ask(context, "blogs", { startingNode, limit: limits.blogPage }).catch(() => null);
  return { startingNode, posts };
}

/** On client-side navigation the page opens at once and fetches its posts itself. */
export const clientLoader = () => ({ startingNode: 0, posts: null });

export const shouldRevalidate = () => false;

export default function Blog() {
  const { startingNode, posts: first } = useLoaderData<typeof loader>();
  const isOpeningPost = useIsOpeningPost();
  const list = useInfiniteQuery({
    queryKey: ["blogs", startingNode],
    queryFn: ({ pageParam, signal }) => call("blogs", { startingNode: pageParam, limit: limits.blogPage }, signal),
    initialPageParam: startingNode,
    getNextPageParam: (page, _pages, from) => (page.length === 0 ? undefined : from + limits.blogPage),
    staleTime: 300_000,
    ...(first && { initialData: { pages: [first], pageParams: [startingNode] } }),
  });
  const { fetchNextPage, refetch } = list;
  useFailedPost();
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (isOpeningPost) return <ArticlePlaceholder />;
  const posts = list.data?.pages.flat() ?? [];
  return (
    <main id="main" className={`${site.container} ${site.section}`}>
      <div className={site.head}>
        <h1 className={site.display}>Blog</h1>
        <p className={site.lead}>
          Notes from the work of a security operations centre. For people who keep systems running and have to answer
          for them.
        </p>
        {startingNode > 0 && (
          <p>
            {/* A full page load, as the starting position is part of the server's answer. */}
            <Link to="/blog" reloadDocument className={site.link}>
              From the newest article
            </Link>
          </p>
        )}
      </div>
      <ul className={classes.cards} aria-busy={list.isFetching}>
        {posts.map((post) => (
          <PostCard key={post.idKey} post={post} />
        ))}
        {(list.isPending || list.isFetchingNextPage) &&
          Array.from({ length: limits.blogPage }, (_, card) => <CardPlaceholder key={card} />)}
      </ul>
      <div className={classes.end}>
        {list.error && (
          <LoadFailure
            short={messages.dataFailed}
            message={messages.dataError(list.error.message)}
            onRetry={() => void (list.isFetchNextPageError ? fetchNextPage() : refetch())}
          />
        )}
        {list.hasNextPage && !list.error && (
          <MoreOnScroll label="Load more" loading={list.isFetchingNextPage} failed={list.isError} onMore={more} />
        )}
        {list.isSuccess && !list.hasNextPage && (
          <p className={site.muted}>{posts.length === 0 ? messages.noData : "You have seen all articles."}</p>
        )}
        {first && first.length > 0 && (
          <noscript>
            <Link to={`/blog?from=${startingNode + limits.blogPage}`}>Older articles</Link>
          </noscript>
        )}
      </div>
    </main>
  );
}

/** Tells readers who were redirected here from a post why. */
function useFailedPost() {
  const [search, setSearch] = useSearchParams();
  const failed = search.has("failed");
  useEffect(() => {
    if (!failed) return;
    toast.error(messages.dataFailed, { id: messages.dataFailed });
    setSearch({}, { replace: true });
  }, [failed, setSearch]);
}
