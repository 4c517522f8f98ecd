import { ApiError } from "../api.ts";

const plain = (sentence: string) => sentence.trim().replace(/\.$/, "");

/** The error for a form's alert; null if a visible field shows the same sentence, but for a final full stop. */
export function saidBesides(error: Error | null, isShown: (field: string) => boolean): Error | null {
  if (!(error instanceof ApiError)) return error;
  const isAtField = Object.entries(error.fields).some(
    ([field, said]) => plain(said) === plain(error.message) && isShown(field),
  );
  return isAtField ? null : error;
}
