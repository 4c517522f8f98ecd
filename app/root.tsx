import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteError } from "react-router";
import { brand } from "../contract/brand.ts";
import { RouteFailure } from "./public/frame/route-failure.tsx";
import { listenForToasts } from "./toast.ts";
import "./styles.css";

const Toaster = lazy(() => import("./components/toaster.tsx"));

export const meta = () => [{ title: brand.name }, { name: "description", content: brand.name }];

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-IN" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={brand.themeColour} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="preload" href={interLatin} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="alternate" type="application/rss+xml" title={`${brand.name} blog`} href="/rss.xml" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  const [toasting, setToasting] = useState(false);
  useEffect(() => listenForToasts(() => setToasting(true)), []);
  return (
    <>
      <Outlet />
      {toasting && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <RouteFailure
      detail={isRouteErrorResponse(error) ? (error.data as unknown) : error instanceof Error ? error.message : null}
    />
  );
}
