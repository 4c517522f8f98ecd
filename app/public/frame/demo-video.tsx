import { useEffect, useRef, useState } from "react";
import { brand } from "../../../contract/brand.ts";
import demoVideo from "../../content/demo-video.json" with { type: "json" };
import classes from "./demo-video.module.css";
import { Glyph } from "./glyph.tsx";

const title = () => `${brand.name} in ${Math.floor(demoVideo.seconds)} seconds`;

/** The video is fetched only when the dialog opens; it does not start by itself for users who prefer less motion. */
export function DemoVideo() {
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [wanted, setWanted] = useState(false);
  // React has no toggle event for dialogs, and the dialog may have been opened before this script had loaded.
  useEffect(() => {
    const element = dialog.current;
    const look = () => setWanted(element?.open ?? false);
    look();
    element?.addEventListener("toggle", look);
    return () => element?.removeEventListener("toggle", look);
  }, []);
  useEffect(() => {
    if ("commandForElement" in HTMLButtonElement.prototype) return undefined;
    // For browsers without invoker commands on buttons.
    const press = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest("[commandfor='demo']") : null;
      if (!button) return;
      if (button.getAttribute("command") === "close") dialog.current?.close();
      else dialog.current?.showModal();
    };
    document.addEventListener("click", press);
    return () => document.removeEventListener("click", press);
  }, []);
  useEffect(() => {
    const [captions] = video.current?.textTracks ?? [];
    // This makes the browser fetch the captions, so it waits until the video is wanted.
    if (captions && wanted) captions.mode = "showing";
    if (!wanted) video.current?.pause();
    // Rejected where the browser blocks autoplay: the user has the controls.
    else if (!prefersStillness()) video.current?.play().catch(() => {});
  }, [wanted]);
  return (
    <dialog ref={dialog} id="demo" aria-label={title()} className={classes.dialog} closedby="any">
      <div className={classes.head}>
        <h2>{title()}</h2>
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
        <track kind="captions" src="/demo/captions.vtt" srcLang="en" label="English" />
      </video>
      <p className={classes.caption}>
        Recorded from the product with sample data, without sound: from counting devices to a paid order.
      </p>
      <details className={classes.transcript}>
        <summary>Transcript</summary>
        <ol>
          {demoVideo.scenes.map(({ from, text }) => (
            <li key={from}>
              <span>{`0:${String(Math.floor(from)).padStart(2, "0")}`}</span> {text}
            </li>
          ))}
        </ol>
      </details>
    </dialog>
  );
}

const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
