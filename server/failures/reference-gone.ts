import { messages } from "../../contract/messages.ts";
import { Failure } from "./failure.ts";
import { causesOf } from "./outage.ts";

/** PostgreSQL's foreign_key_violation. */
const referenceBroken = "23503";

/** What callers are told of a row that went while they wrote a reference to it, by its table. */
const goneFrom: Record<string, string> = {
  organisations: messages.organizationMerged,
  people: "The data of a person whom this names were erased meanwhile. Please reload the page and try again.",
};

/**
 * A write for an organisation that is being merged into another, or that names a person who is being erased, waits for
 * that and then violates a foreign key. Turns that error into a Failure for the caller; undefined for every other error.
 */
export function referenceGone(thrown: unknown): Failure | undefined {
  for (const { code, ...error } of causesOf(thrown)) {
    const detail = code === referenceBroken && "detail" in error ? String(error.detail) : "";
    const sentence = goneFrom[/not present in table "(\w+)"/.exec(detail)?.[1] ?? ""];
    if (sentence) return new Failure("conflict", sentence);
  }
  return undefined;
}
