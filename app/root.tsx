import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, use, useState } from "react";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteError } from "react-router";
import { Toaster } from "sonner";
import { brand } from "../contract/brand.ts";
import { limits } from "../contract/limits.ts";
import { RouteFailure } from "./components/route-failure.tsx";
import { ApiError } from "./api.ts";
import { ScriptNonce } from "./script-nonce.ts";
import { quietColours, theme } from "./theme.ts";
import "./styles.css";

export const meta = () => [{ title: brand.name }, { name: "description", content: brand.name }];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(ScriptNonce);
  return (
    <html lang="en-IN" {...mantineHtmlProps}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={brand.themeColour} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
        <ColorSchemeScript defaultColorScheme="auto" {...(nonce && { nonce })} />
      </head>
      <body>
        <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={quietColours}>
          {children}
        </MantineProvider>
        <ScrollRestoration {...(nonce && { nonce })} />
        <Scripts {...(nonce && { nonce })} />
      </body>
    </html>
  );
}

export default function Root() {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: 10_000,
            // What the server refused it will refuse again; only a lost connection or a busy server is worth another try.
            retry: (tries, error) => tries < 2 && (!(error instanceof ApiError) || error.status >= 500),
          },
        },
      }),
  );
  return (
    <QueryClientProvider client={queries}>
      <Outlet />
      <Toaster
        position="top-right"
        duration={limits.toastMs}
        hotkey={["altKey", "KeyT"]}
        richColors
        closeButton
        theme="system"
      />
    </QueryClientProvider>
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
