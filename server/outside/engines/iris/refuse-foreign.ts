import { EngineFailure } from "../engine-failure.ts";

/**
 * Guards against an engine that returns another customer's records. `owners` are the records' customers; a record
 * without one is let through.
 */
export function refuseForeign(
  owners: readonly (number | null | undefined)[],
  customerId: number,
  called: string,
): void {
  if (owners.every((owner) => owner === undefined || owner === null || owner === customerId)) return;
  throw new EngineFailure("tenant", `${called} answered with records of another customer, which were not taken in.`);
}
