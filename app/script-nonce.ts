import { createContext } from "react";

/** Nonce of this answer's Content-Security-Policy; none in prerendered pages, whose inline scripts are allowed by hash. */
export const ScriptNonce = createContext<string | undefined>(undefined);
