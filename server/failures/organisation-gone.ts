import { messages } from "../../contract/messages.ts";
import { Failure } from "./failure.ts";
import { causesOf } from "./outage.ts";

/** PostgreSQL's foreign_key_violation. */
const referenceBroken = "23503";

/**
 * What is written for an organisation waits while it is merged into another one, and then finds it gone: whoever wrote it is
 * told so. Undefined for every other error.
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
