import { isDeepStrictEqual } from "node:util";
import { Failure } from "./failure.ts";

/**
 * Of something that was sent under an id that was taken: the same again changes nothing.
 * @throws Failure conflict where the row of that id has something else, or is none that the sender knows
 */
export function refuseUnlessSame<Row extends object>(known: Row | undefined, sent: Partial<Row>): void {
  if (known && isDeepStrictEqual({ ...known, ...sent }, known)) return;
  throw new Failure("conflict", "This was sent before with something else in it. Please reload the page.");
}
