import { access } from "../../contract/access.ts";
import type { OperationName } from "../../contract/operations.ts";
import { RoleRefused } from "./authenticate.ts";
import type { Actor } from "../call.ts";
import type { Denial } from "../protection/denials.ts";
import { Failure } from "../failures/failure.ts";
import { findCustomerId } from "../access/reach.ts";
import type { Services } from "../services.ts";

/** One call of an operation, as far as it got. */
export interface Attempt {
  operation: OperationName;
  address: string;
  hasToken: boolean;
  actor: Actor | null;
  input?: unknown;
}

/** Leaves a trace of what a call was refused for, if it is one of the refusals that matter for security. */
export function traceRefusal({ denials }: Services, attempt: Attempt, thrown: unknown): void {
  const event = thrown instanceof Failure ? eventOf(thrown, attempt) : null;
  const actor = thrown instanceof RoleRefused ? thrown.actor : attempt.actor;
  if (event) denials.note({ ...denialOf(attempt), event, actor });
}

function eventOf({ code }: Failure, { actor, operation, hasToken }: Attempt): Denial["event"] | null {
  if (code === "forbidden") return "refuse role";
  if (code === "too_many_requests") return "refuse rate";
  if (code === "unauthenticated" && hasToken) return "refuse token";
  // Nothing is out of an administrator's reach: what they don't find is not there.
  if (code === "not_found" && actor && access[operation].reach !== "any") return "refuse record";
  return null;
}

/** Lists about a customer of somebody else come out empty instead of failing: the trace is the same. */
export async function traceEmptyAnswer(services: Services, attempt: Attempt, answer: unknown): Promise<void> {
  const { actor, operation } = attempt;
  const email = fieldsOf(attempt.input)["email"];
  if (!actor || access[operation].reach !== "customers" || typeof email !== "string" || !isEmpty(answer)) return;
  if ((await findCustomerId(services.database, actor, email)) !== null) return;
  services.denials.note({ ...denialOf(attempt), event: "refuse record", actor });
}

function denialOf({ operation, address, input }: Attempt) {
  const fields = fieldsOf(input);
  const sought = ["quote_id", "id", "fileName", "email"].map((name) => fields[name]).find(Boolean);
  return { operation, address, ...(typeof sought === "string" && { sought }) };
}

const fieldsOf = (input: unknown): Record<string, unknown> =>
  typeof input === "object" && input !== null ? { ...input } : {};

function isEmpty(answer: unknown): boolean {
  const lists = Object.values(fieldsOf(answer)).filter(Array.isArray);
  return lists.length > 0 && lists.every(({ length }) => length === 0);
}
