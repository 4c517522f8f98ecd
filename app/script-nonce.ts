import { createContext } from "react";

/** The nonce of our own scripts while a page is rendered on the server; removed before sending: entry.server.tsx. */
export const ScriptNonce = createContext<string | undefined>(undefined);
