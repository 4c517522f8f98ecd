import { useNavigation } from "react-router";
import site from "../site.module.css";
import classes from "./article-placeholder.module.css";

/** Whether a post has been requested and is loading. */
export function useIsOpeningPost(): boolean {
  const { state, location } = useNavigation();
  return state === "loading" && /^\/blog\/./.test(location.pathname);
}

/** Stands in for the article; appears only if loading takes a moment. */
export function ArticlePlaceholder() {
  return (
    <main id="main" className={`${site.narrow} ${site.section}`} aria-busy="true">
      <p className="visually-hidden" role="status">
        The article is loading
      </p>
      <div className={classes.article} data-placeholder aria-hidden="true">
        <span style={{ width: "30%", height: "1rem" }} />
        <span style={{ width: "95%", height: "3rem" }} />
        <span style={{ width: "60%", height: "3rem" }} />
        <span style={{ aspectRatio: "1200 / 480" }} />
        {[100, 96, 98, 90, 60].map((width) => (
          <span key={width} style={{ width: `${width}%`, height: "1rem" }} />
        ))}
      </div>
    </main>
  );
}
