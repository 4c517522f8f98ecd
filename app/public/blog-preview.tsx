import { Alert, Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { LoadFailure } from "../lists/load-failure.tsx";
import { Guard } from "../portal/guard.tsx";
import { neverStored } from "../portal/never-stored.ts";
import { Article } from "./blog-post/article.tsx";
import { ArticlePlaceholder } from "./blog/article-placeholder.tsx";
import site from "./site.module.css";

export const headers = neverStored;

export const meta = () => [{ title: `Preview – ${brand.name}` }, { name: "robots", content: "noindex, nofollow" }];

/** An article's last saved version as visitors will read it, within the site's frame; for administrators only. */
export default function BlogPreview() {
  return (
    <Guard area="admin" to={{ needs: "admin/posts/preview" }}>
      <Preview />
    </Guard>
  );
}

function Preview() {
  const id = useSearchParams()[0].get("post") ?? "";
  const post = useQuery({
    queryKey: ["admin/posts/preview", id],
    queryFn: ({ signal }) => call("admin/posts/preview", { id }, signal),
    retry: false,
    enabled: id !== "",
  });
  if (post.isLoading) return <ArticlePlaceholder />;
  return (
    <main id="main" className={site.section}>
      <div className={site.narrow}>
        <Alert variant="light" role="note" mb="lg">
          <Group justify="space-between" gap="sm">
            <Text>Preview of what was saved last. Visitors do not see this page.</Text>
            <Anchor component={Link} to={id ? `/admin/blog?post=${id}` : "/admin/blog"} td="underline">
              Back to the editor
            </Anchor>
          </Group>
        </Alert>
        {!post.data && <h1 className={site.display}>Preview</h1>}
        {!id && <p className={site.lead}>Open it from an article in the editor.</p>}
        {post.isError && (
          <LoadFailure short={messages.dataFailed} message={post.error.message} onRetry={() => void post.refetch()} />
        )}
      </div>
      {post.data && (
        <Article post={post.data}>
          <Text c="var(--site-muted)">/blog/{post.data.idKey}</Text>
        </Article>
      )}
    </main>
  );
}
