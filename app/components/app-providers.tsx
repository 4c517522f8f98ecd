import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { ApiError } from "../api.ts";
import { onAccountChange } from "../session.ts";
import { theme } from "../theme.ts";
import "../styles-mantine.css";
import "../styles-theme.css";

/** What interactive pages stand on: components and data. Reading pages do without. */
export function AppProviders({ children }: { children: ReactNode }) {
  const [queries] = useState(browserQueries);
  const look = useLook();
  return (
    <MantineContext value={look}>
      <MantineThemeProvider theme={theme}>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </MantineThemeProvider>
    </MantineContext>
  );
}

const getRootElement = () => document.documentElement;
const manager = localStorageColorSchemeManager();

/** As the components' own provider has it, without the part that reckons out their variables: styles-theme.css has them. */
function useLook() {
  const scheme = useProviderColorScheme({
    defaultColorScheme: "auto",
    forceColorScheme: undefined,
    manager,
    getRootElement,
  });
  useEffect(() => getRootElement().setAttribute("data-respect-reduced-motion", "true"), []);
  const { colorScheme, setColorScheme, clearColorScheme } = scheme;
  return useMemo(
    () => ({
      colorScheme,
      setColorScheme,
      clearColorScheme,
      getRootElement,
      classNamesPrefix: "mantine",
      cssVariablesSelector: ":root",
      withStaticClasses: true,
      deduplicateInlineStyles: true,
    }),
    [colorScheme, setColorScheme, clearColorScheme],
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
