import { Link } from "react-router";
import type { BlogSummary } from "../../../contract/content.ts";
import { showDay } from "../../components/display.ts";
import classes from "../blog.module.css";
import { HeaderImage } from "./header-image.tsx";

export function PostCard({ post }: { post: BlogSummary }) {
  const { idKey, title, headerImg, excerpt, tags, created_at, reading_minutes } = post;
  return (
    <li className={classes.card}>
      <HeaderImage
        className={classes.image}
        address={headerImg}
        alt=""
        sizes="(max-width: 30rem) 100vw, 24rem"
        loading="lazy"
        decoding="async"
      />
      <div className={classes.text}>
        <ul className={classes.tags} aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.excerpt}>{excerpt}</p>
        <p className={classes.facts}>
          <time dateTime={created_at}>{showDay(created_at)}</time> · {reading_minutes} min read
        </p>
        <Link to={`/blog/${idKey}`} className={classes.more} aria-label={`Read More: ${title}`}>
          Read More
        </Link>
      </div>
    </li>
  );
}

/** Stands in for a card that is loading. */
export function CardPlaceholder() {
  return (
    <li className={classes.card} data-placeholder aria-hidden="true">
      <div className={`${classes.image} ${classes.waiting}`} />
      <div className={classes.text}>
        <span className={classes.waiting} style={{ width: "40%", height: "1.25rem" }} />
        <span className={classes.waiting} style={{ width: "90%", height: "3rem" }} />
        <span className={classes.waiting} style={{ width: "100%", height: "5rem" }} />
        <span className={classes.waiting} style={{ width: "35%", height: "1.25rem" }} />
      </div>
    </li>
  );
}
