import { createContext } from "react";

/**
 * The nonce of the page's own scripts while it is rendered on the server; removed before it is sent, see
 * entry.server.tsx.
 */
export const ScriptNonce = createContext<string | undefined>(undefined);
