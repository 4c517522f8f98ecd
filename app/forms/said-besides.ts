import { ApiError } from "../api.ts";

const plain = (sentence: string) => sentence.trim().replace(/\.$/, "");

/** What a box has to say besides the fields: nothing where one that is shown says the same, but for the last full stop. */
export function saidBesides(error: Error | null, isShown: (field: string) => boolean): Error | null {
  if (!(error instanceof ApiError)) return error;
  const isAtField = Object.entries(error.fields).some(
    ([field, said]) => plain(said) === plain(error.message) && isShown(field),
  );
  return isAtField ? null : error;
}
