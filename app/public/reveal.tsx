import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import classes from "./reveal.module.css";

const duration = { "--reveal-duration": `${limits.scrollAnimationMs}ms` } as CSSProperties;

/**
 * Animates a section in when it is scrolled to. Without script, and for a section already on the screen when the script
 * arrives, it does nothing, so that nobody sees content vanish.
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
      // Sections above the window count as seen: one that was jumped over must not stay hidden.
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
