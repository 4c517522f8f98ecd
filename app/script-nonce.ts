import { createContext } from "react";

/** What the page's own scripts bear while it is rendered on the server, and never where it is sent; see entry.server.tsx. */
export const ScriptNonce = createContext<string | undefined>(undefined);
