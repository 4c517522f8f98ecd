import { Link, useLocation } from "react-router";
import classes from "./action-bar.module.css";
import { DemoVideo } from "./demo-video.tsx";
import { Glyph } from "./glyph.tsx";

/**
 * Floats beside or below every public page: the demo video, a personal demo, a quote; an entry for the current page is
 * left out. It opens without script.
 */
export function ActionBar() {
  const { pathname } = useLocation();
  const isHere = (path: string) => pathname.replace(/\/$/, "") === path;
  return (
    <>
      <nav aria-label="Quick actions" className={classes.bar} data-quick-actions>
        <button type="button" command="show-modal" commandfor="demo" className={classes.action}>
          <Glyph d="M7 4.5v13l10.5-6.5z" />
          Demo
        </button>
        {!isHere("/contact") && (
          <Link to="/contact" className={classes.action} aria-label="Request Demo">
            <Glyph d="M3.5 6h15v10.5h-15zM4 6.5l7 5.5 7-5.5" />
            <span>
              Request<span className={classes.more}> Demo</span>
            </span>
          </Link>
        )}
        {!isHere("/estimator") && (
          <Link to="/estimator" className={classes.strong}>
            <Glyph d="M5 3.5h12v15H5zM8 7h6M8 11h1M13 11h1M8 14.5h1M13 14.5h1" />
            Get Quote
          </Link>
        )}
      </nav>
      <DemoVideo key={pathname} />
    </>
  );
}
