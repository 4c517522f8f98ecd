import { MantineContext, MantineThemeProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { isRefusal } from "../api.ts";
import { onAccountChange } from "../session.ts";
import { theme } from "../theme.ts";
import "../styles-mantine.css";
import "../styles-theme.css";

/** The providers for interactive pages: components and data. Reading pages do without them. */
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
 * Mantine's context without its provider. Of the provider's work, the CSS variables come from styles-theme.css, and the
 * page's first script follows the colour scheme (app/root.tsx).
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

/** One client for the whole browser tab; on the server, one for each response. */
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
        // Without a network, a call fails at once and says so instead of waiting in silence.
        networkMode: "always",
        refetchOnReconnect: true,
        // A refusal would be repeated: only a lost connection or a server error is worth a retry, one.
        retry: (tries, error) => tries < 1 && !isRefusal(error),
        retryDelay: 300,
      },
      mutations: { networkMode: "always" },
    },
  });
}
