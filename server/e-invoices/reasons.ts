import type { Reason } from "../outside/e-invoices/registrar.ts";

/** The reasons as sentences for people. */
export const sentenceOf = (reasons: readonly Reason[]): string => reasons.map(reasonSentence).join(" ");

export const reasonSentence = ({ code, text }: Reason): string => (code ? `${text} (${code})` : text);
