import { timingSafeEqual } from "node:crypto";

/** Compares what a caller gave with the right secret or signature, in a time that does not tell where they differ. */
export function isSameSecret(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
