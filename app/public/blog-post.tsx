import { use } from "react";
import { Link, type LoaderFunctionArgs, type MetaArgs, redirect, useLoaderData } from "react-router";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { ScriptNonce } from "../script-nonce.ts";
import { ask } from "../server-api.ts";
import { toast } from "../toast.ts";
import classes from "./blog-post.module.css";
import { Article } from "./blog-post/article.tsx";
import { postMeta } from "./blog-post/post-meta.ts";
import { earlyGuard } from "./blog-post/copy-guard.ts";
import { useCopyGuard } from "./blog-post/use-copy-guard.ts";
import { ArticlePlaceholder, useIsOpeningPost } from "./blog/article-placeholder.tsx";
import site from "./site.module.css";

export const handle = { reads: true };

/** A post that can't be loaded redirects to the list, a moved one to its new address. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const idKey = params["blogId"] ?? "";
  try {
    const [post, recent] = await Promise.all([
      ask(context, "blogs/{idKey}", { idKey }),
      ask(context, "blogs", { startingNode: 0, limit: limits.blogPageMax }),
    ]);
    if (post.idKey !== idKey) throw redirect(`/blog/${post.idKey}`, 301);
    const place = recent.findIndex(({ idKey }) => idKey === post.idKey);
    const neighbour = (index: number) => {
      const found = place < 0 ? undefined : recent[index];
      return found ? { idKey: found.idKey, title: found.title } : null;
    };
    return {
      post,
      newer: neighbour(place - 1),
      older: neighbour(place + 1),
    };
  } catch (error) {
    throw isMove(error) ? error : redirect("/blog?failed");
  }
}

export async function clientLoader({ serverLoader }: { serverLoader: () => Promise<Loaded> }): Promise<Loaded> {
  return serverLoader().catch((error: unknown) => {
    if (isMove(error)) throw error;
    toast.error(messages.dataFailed, { id: messages.dataFailed });
    throw redirect("/blog");
  });
}

/** Whether a response redirects to the post's current address. */
const isMove = (thrown: unknown) =>
  thrown instanceof Response && thrown.headers.get("Location")?.startsWith("/blog/") === true;

type Loaded = Awaited<ReturnType<typeof loader>>;

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  loaderData ? postMeta(loaderData.post) : [{ title: `Blog – ${brand.name}` }];

export default function BlogPost() {
  const { post, newer, older } = useLoaderData<typeof loader>();
  const isOpeningPost = useIsOpeningPost();
  const nonce = use(ScriptNonce);
  useCopyGuard();
  if (isOpeningPost) return <ArticlePlaceholder />;
  return (
    <main id="main" className={site.section}>
      <script {...(nonce && { nonce })} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: earlyGuard() }} />
      <Article post={post}>
        <Link to="/blog" className={classes.back}>
          <span aria-hidden="true">←</span> All articles
        </Link>
      </Article>
      <nav aria-label="Other articles" className={`${site.narrow} ${classes.others}`}>
        {older && <Neighbour label="Older" {...older} />}
        {newer && <Neighbour label="Newer" {...newer} />}
      </nav>
    </main>
  );
}

function Neighbour({ label, idKey, title }: { label: string; idKey: string; title: string }) {
  return (
    <Link to={`/blog/${idKey}`} className={classes.other}>
      <span>{label}</span>
      {title}
    </Link>
  );
}
