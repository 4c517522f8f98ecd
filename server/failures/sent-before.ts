import { isDeepStrictEqual } from "node:util";
import { Failure } from "./failure.ts";

/**
 * For a request whose id is already taken: sending the same again changes nothing.
 * @throws Failure conflict where the row with that id has other content, or is not visible to the sender
 */
export function refuseUnlessSame<Row extends object>(known: Row | undefined, sent: Partial<Row>): void {
  if (known && isDeepStrictEqual({ ...known, ...sent }, known)) return;
  throw new Failure("conflict", "This was sent before with something else in it. Please reload the page.");
}
