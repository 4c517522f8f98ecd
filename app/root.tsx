import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { type ReactNode, use, useEffect, useState } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { brand } from "../contract/brand.ts";
import { shownTexts, textsElementId } from "../contract/shown-texts.ts";
import { FailedRoute } from "./public/frame/route-failure.tsx";
import { ScriptNonce } from "./script-nonce.ts";
import { listenForToasts, takeToasts } from "./toast.ts";
import withoutScript from "./styles-without-script.css?url";
import "./styles.css";

export const meta = () => [{ title: brand.name }, { name: "description", content: brand.name }];

// Sets the attribute for the colour scheme before the first paint, and whenever the scheme changes. Print is light.
const showScheme = `(() => {
const dark = matchMedia("screen and (prefers-color-scheme: dark)");
const show = () => void (document.documentElement.dataset.mantineColorScheme = dark.matches ? "dark" : "light");
dark.addEventListener("change", show);
show();
})()`;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(ScriptNonce);
  return (
    <html lang="en-IN" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={brand.themeColour} />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="preload" href={interLatin} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="alternate" type="application/rss+xml" title={`${brand.name} blog`} href="/rss.xml" />
        <Meta />
        <Links />
        {/* Only server-rendered HTML needs this: in a browser that runs the script, it would be dead weight. */}
        {import.meta.env.SSR && (
          <noscript>
            <link rel="stylesheet" href={withoutScript} />
          </noscript>
        )}
        <ChangedTexts />
        <script {...(nonce && { nonce })} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: showScheme }} />
      </head>
      <body>
        {children}
        <ScrollRestoration {...(nonce && { nonce })} />
        <Scripts {...(nonce && { nonce })} />
      </body>
    </html>
  );
}

/** The changed site texts for the browser's script, which has only the shipped ones; nothing if none were changed. */
function ChangedTexts() {
  if (Object.keys(shownTexts).length === 0) return null;
  const written = JSON.stringify(shownTexts).replaceAll("<", String.raw`\u003c`);
  return (
    <script
      id={textsElementId}
      type="application/json"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: written }}
    />
  );
}

export default function Root() {
  const [toaster, setToaster] = useState<ReactNode>(null);
  useEffect(() => {
    listenForToasts(() => {
      import("./components/toaster.tsx").then(
        ({ default: Toaster }) => setToaster(<Toaster />),
        // A newer version may have replaced the file: the messages are shown all the same.
        () => {
          const told = <Told texts={takeToasts().map(({ text, options }) => [text, options?.description])} />;
          setToaster(told);
          setTimeout(() => setToaster((shown: ReactNode) => (shown === told ? null : shown)), toldMs);
        },
      );
    });
  }, []);
  return (
    <>
      <Outlet />
      {toaster}
    </>
  );
}

const toldMs = 10_000;

function Told({ texts }: { texts: (string | undefined)[][] }) {
  return (
    <div role="alert" className="told">
      {texts.map(([text, reason], index) => (
        <p key={index}>
          {text} {reason}
        </p>
      ))}
    </div>
  );
}

export const ErrorBoundary = FailedRoute;
