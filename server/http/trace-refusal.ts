import { access, type Reach } from "../../contract/access.ts";
import type { OperationName } from "../../contract/operations.ts";
import { RoleRefused } from "./authenticate.ts";
import { soughtOutOfReach } from "../access/reach.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Denial } from "../protection/denials.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** One call of an operation, as far as it got. */
export interface TracedCall {
  operation: OperationName;
  address: string;
  hasToken: boolean;
  actor: Actor | null;
  input?: unknown;
}

/** Leaves a trace of what a call was refused for, if it is one of the refusals that matter for security. */
export function traceRefusal({ denials }: Services, traced: TracedCall, thrown: unknown): void {
  const event = thrown instanceof Failure ? eventOf(thrown, traced) : null;
  const actor = thrown instanceof RoleRefused ? thrown.actor : traced.actor;
  if (event) denials.note({ ...denialOf(traced), event, actor });
}

function eventOf({ code }: Failure, { actor, operation, hasToken }: TracedCall): Denial["event"] | null {
  if (code === "forbidden") return "refuse role";
  if (code === "too_many_requests") return "refuse rate";
  if (code === "unauthenticated" && hasToken) return "refuse token";
  // Nothing is out of an administrator's reach: what they don't find is not there.
  if (code === "not_found" && actor && access[operation].reach !== "any") return "refuse record";
  return null;
}

/** A customer of somebody else is answered like one that is not there, with an empty list: the trace is the same. */
export function traceEmptyAnswer({ denials }: Services, traced: TracedCall, scope: Scope<Reach> | null): void {
  if (scope?.reach !== "customers") return;
  if (soughtOutOfReach(scope)) denials.note({ ...denialOf(traced), event: "refuse record", actor: scope.actor });
}

function denialOf({ operation, address, input }: TracedCall) {
  const fields = fieldsOf(input);
  const sought = ["quote_id", "id", "fileName", "email"].map((name) => fields[name]).find(Boolean);
  return { operation, address, ...(typeof sought === "string" && { sought }) };
}

/** What a call was given or has answered, by its names; nothing of what has none. */
export const fieldsOf = (input: unknown): Record<string, unknown> =>
  typeof input === "object" && input !== null ? { ...input } : {};
