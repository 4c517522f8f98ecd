import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import classes from "./reveal.module.css";

const duration = { "--reveal-duration": `${limits.scrollAnimationMs}ms` } as CSSProperties;

/**
 * Lets a section come in when it is scrolled to. Without script, and for what stands on the screen already
 * when the script arrives, it does nothing: nobody sees content vanish.
 */
export function Reveal({ children }: { children: ReactNode }) {
  const section = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"there" | "waiting" | "coming">("there");

  useEffect(() => {
    let isFirst = true;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (entry.isIntersecting) {
          setState((before) => (before === "waiting" ? "coming" : before));
          observer.disconnect();
        } else if (isFirst) setState("waiting");
        isFirst = false;
      },
      // What lies above counts as seen: a jump past a section must not leave it unseen.
      { rootMargin: "1000000px 0px -8% 0px" },
    );
    if (section.current) observer.observe(section.current);
    return () => observer.disconnect();
  }, []);

  return (
    <div ref={section} style={duration} {...(state !== "there" && { className: classes[state] })}>
      {children}
    </div>
  );
}
