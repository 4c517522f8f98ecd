import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { brand } from "../../../contract/brand.ts";
import classes from "./action-bar.module.css";

/** Floats over every public page: the demo video, a demo in person, a quote. Opening works without script. */
export function ActionBar() {
  const { pathname } = useLocation();
  return (
    <>
      <nav aria-label="Quick actions" className={classes.bar}>
        <button type="button" command="show-modal" commandfor="demo" className={classes.action}>
          <Glyph d="M7 4.5v13l10.5-6.5z" />
          Demo
        </button>
        <Link to="/contact" className={classes.action}>
          <Glyph d="M3.5 6h15v10.5h-15zM4 6.5l7 5.5 7-5.5" />
          <span>
            Request<span className={classes.more}> Demo</span>
          </span>
        </Link>
        <Link to="/estimator" className={classes.strong}>
          <Glyph d="M5 3.5h12v15H5zM8 7h6M8 11h1M13 11h1M8 14.5h1M13 14.5h1" />
          Get Quote
        </Link>
      </nav>
      <Demo key={pathname} />
    </>
  );
}

/** The video is asked for only when the modal opens; it stands still for who wants less motion. */
function Demo() {
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [wanted, setWanted] = useState(false);
  // React hears no toggle of a dialog; and it may have been opened before this script was there.
  useEffect(() => {
    const element = dialog.current;
    const look = () => setWanted(element?.open ?? false);
    look();
    element?.addEventListener("toggle", look);
    return () => element?.removeEventListener("toggle", look);
  }, []);
  useEffect(() => {
    if (!wanted) video.current?.pause();
    // Refused where the browser does not let videos start by themselves: the controls are there.
    else if (!prefersStillness()) video.current?.play().catch(() => {});
  }, [wanted]);
  return (
    <dialog ref={dialog} id="demo" aria-label={`${brand.name} in one minute`} className={classes.dialog} closedby="any">
      <div className={classes.head}>
        <h2>{brand.name} in one minute</h2>
        <button type="button" command="close" commandfor="demo" aria-label="Close" className={classes.close}>
          <Glyph d="M5.5 5.5l11 11M16.5 5.5l-11 11" />
        </button>
      </div>
      <video
        ref={video}
        className={classes.video}
        controls
        muted
        loop
        playsInline
        preload="none"
        width={1280}
        height={720}
        {...(wanted && { poster: "/demo/poster.webp", autoPlay: !prefersStillness() })}
      >
        <source src="/demo/prahari.webm" type="video/webm" />
        <source src="/demo/prahari.mp4" type="video/mp4" />
      </video>
      <p className={classes.caption}>
        Recorded from the product with sample data, without sound: from counting devices to a paid order.
      </p>
    </dialog>
  );
}

const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function Glyph({ d }: { d: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 22 22" aria-hidden="true" focusable="false">
      <path d={d} fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
