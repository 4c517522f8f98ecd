import type { ReactNode } from "react";
import { brand } from "../../contract/brand.ts";
import classes from "./sign-in.module.css";
import "../styles-mantine.css";
import "../styles-theme.css";

/** The panel of every sign-in screen. */
export function SignInPanel({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <main id="main" className={classes.page}>
      <div className={classes.panel}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {hint && <p className={classes.hint}>{hint}</p>}
        </div>
        <noscript>
          <p>
            This page needs JavaScript. Please switch it on in your browser and reload the page, or write to{" "}
            <a href={`mailto:${brand.emails.support}`}>{brand.emails.support}</a>.
          </p>
        </noscript>
        {children}
      </div>
    </main>
  );
}
