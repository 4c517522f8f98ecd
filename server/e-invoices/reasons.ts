import type { Reason } from "../outside/e-invoices/registrar.ts";

/** Why, as people read it. */
export const sentenceOf = (reasons: readonly Reason[]): string => reasons.map(reasonSentence).join(" ");

export const reasonSentence = ({ code, text }: Reason): string => (code ? `${text} (${code})` : text);
