import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api.ts";
import { onAccountChange } from "../session.ts";
import { theme } from "../theme.ts";
import { ThemeVariables } from "./theme-variables.tsx";
import "../styles-mantine.css";

/** What interactive pages stand on: components and data. Reading pages do without. */
export function AppProviders({ children }: { children: ReactNode }) {
  const [queries] = useState(browserQueries);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateInlineStyles
    >
      <ThemeVariables />
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}

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
        // What the server refused it will refuse again; only a lost connection or a busy server is worth another try, one.
        retry: (tries, error) =>
          tries < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
        retryDelay: 300,
      },
    },
  });
}
