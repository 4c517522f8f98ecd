import type { ReactNode } from "react";
import type { BlogPost } from "../../../contract/content.ts";
import { showDay } from "../../components/display.ts";
import classes from "../blog-post.module.css";
import site from "../site.module.css";
import { HeaderImage } from "../blog/header-image.tsx";

// A wide table scrolls in itself, not the page; with the keyboard too.
const scroller = '<div role="group" aria-label="Table" tabindex="0">';
const withScrollers = (html: string) =>
  html.replaceAll("<table>", `${scroller}<table>`).replaceAll("</table>", "</table></div>");

/** An article as visitors read it; the children stand above its title. */
export function Article({ post, children }: { post: BlogPost; children: ReactNode }) {
  return (
    <article className={`${site.narrow} ${classes.article}`}>
      <header className={classes.head}>
        {children}
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
      {post.headerImg && (
        <HeaderImage
          className={classes.image}
          address={post.headerImg}
          alt={post.headerAlt}
          sizes="(max-width: 60rem) 100vw, 56rem"
          fetchPriority="high"
        />
      )}
      {/* The server sanitised it when it was saved. */}
      <div className={classes.content} dangerouslySetInnerHTML={{ __html: withScrollers(post.content) }} />
    </article>
  );
}
