import { messages } from "../../contract/messages.ts";
import { Failure } from "./failure.ts";
import { causesOf } from "./outage.ts";

/** PostgreSQL's foreign_key_violation. */
const referenceBroken = "23503";

/**
 * A write for an organisation that is being merged into another waits for the merge and then violates a foreign key.
 * Turns that error into a Failure for the caller; undefined for every other error.
 */
export function organisationGone(thrown: unknown): Failure | undefined {
  const isGone = causesOf(thrown).some(
    ({ code, ...error }) =>
      code === referenceBroken &&
      "detail" in error &&
      /not present in table "organisations"/.test(String(error.detail)),
  );
  return isGone ? new Failure("conflict", messages.organizationMerged) : undefined;
}
