import { use } from "react";
import { Link, type LoaderFunctionArgs, type MetaArgs, redirect, useLoaderData } from "react-router";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { showDay } from "../components/display.ts";
import { ScriptNonce } from "../script-nonce.ts";
import { ask } from "../server-api.ts";
import { toast } from "../toast.ts";
import classes from "./blog-post.module.css";
import { postMeta } from "./blog-post/post-meta.ts";
import { earlyGuard } from "./blog-post/copy-guard.ts";
import { useCopyGuard } from "./blog-post/use-copy-guard.ts";
import { ArticlePlaceholder, useIsOpeningPost } from "./blog/article-placeholder.tsx";
import site from "./site.module.css";

export const handle = { reads: true };

/** A post that can't be had leads back to the list. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  try {
    const [post, recent] = await Promise.all([
      ask(context, "blogs/{idKey}", { idKey: params["blogId"] ?? "" }),
      ask(context, "blogs", { startingNode: 0, limit: limits.blogPageMax }),
    ]);
    const place = recent.findIndex(({ idKey }) => idKey === post.idKey);
    const neighbour = (index: number) => {
      const found = place < 0 ? undefined : recent[index];
      return found ? { idKey: found.idKey, title: found.title } : null;
    };
    const content = post.content.replaceAll("<table>", scroller + "<table>").replaceAll("</table>", "</table></div>");
    return {
      post: { ...post, content },
      newer: neighbour(place - 1),
      older: neighbour(place + 1),
    };
  } catch {
    throw redirect("/blog?failed");
  }
}

// A wide table is scrolled by itself, not the page; by keyboard too.
const scroller = '<div role="group" aria-label="Table" tabindex="0">';

export async function clientLoader({ serverLoader }: { serverLoader: () => Promise<Loaded> }): Promise<Loaded> {
  return serverLoader().catch(() => {
    toast.error(messages.dataFailed, { id: messages.dataFailed });
    throw redirect("/blog");
  });
}

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
      <article className={`${site.narrow} ${classes.article}`}>
        <header className={classes.head}>
          <Link to="/blog" className={classes.back}>
            <span aria-hidden="true">←</span> All articles
          </Link>
          <h1 className={classes.title}>{post.title}</h1>
          <dl className={classes.facts}>
            <div>
              <dt>Written by</dt>
              <dd>{post.updated_by}</dd>
            </div>
            <div>
              <dt>Created on</dt>
              <dd>
                <time dateTime={post.created_at}>{showDay(post.created_at)}</time>
              </dd>
            </div>
            <div>
              <dt>Reading time</dt>
              <dd>{post.reading_minutes} min</dd>
            </div>
          </dl>
          <ul className={classes.tags} aria-label="Tags">
            {post.tags.map((tag) => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
        </header>
        <img className={classes.image} src={post.headerImg} alt="" width={1200} height={480} fetchPriority="high" />
        {/* Sanitised by the server when it was written. */}
        <div className={classes.content} dangerouslySetInnerHTML={{ __html: post.content }} />
      </article>
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
