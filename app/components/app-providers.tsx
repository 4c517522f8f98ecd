import { MantineContext, MantineThemeProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api.ts";
import { onAccountChange } from "../session.ts";
import { theme } from "../theme.ts";
import "../styles-mantine.css";
import "../styles-theme.css";

/** What interactive pages stand on: components and data. Reading pages do without. */
export function AppProviders({ children }: { children: ReactNode }) {
  const [queries] = useState(browserQueries);
  useEffect(() => document.documentElement.setAttribute("data-respect-reduced-motion", "true"), []);
  return (
    <MantineContext value={look}>
      <MantineThemeProvider theme={theme}>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </MantineThemeProvider>
    </MantineContext>
  );
}

/**
 * As the components' own provider has it, without the parts that reckon out their variables, which styles-theme.css has, and
 * that follow the scheme, which the page's first script does (app/root.tsx).
 */
const look = {
  colorScheme: "auto" as const,
  setColorScheme: () => {},
  clearColorScheme: () => {},
  getRootElement: () => document.documentElement,
  classNamesPrefix: "mantine",
  cssVariablesSelector: ":root",
  withStaticClasses: true,
  deduplicateInlineStyles: true,
};

let kept: QueryClient | undefined;

/** One for the whole browser tab; on the server each answer has its own. */
function browserQueries(): QueryClient {
  if (typeof window === "undefined") return createQueries();
  if (!kept) {
    const made = (kept = createQueries());
    onAccountChange(() => made.clear());
  }
  return kept;
}

function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a network a call fails at once and says so, where it would otherwise wait in silence.
        networkMode: "always",
        refetchOnReconnect: true,
        // What the server refused it will refuse again; only a lost connection or a busy server is worth another try, one.
        retry: (tries, error) =>
          tries < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
        retryDelay: 300,
      },
      mutations: { networkMode: "always" },
    },
  });
}
