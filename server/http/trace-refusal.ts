import { access, type Reach } from "../../contract/access.ts";
import type { OperationName } from "../../contract/operations.ts";
import { RoleRefused } from "./authenticate.ts";
import { soughtOutOfReach } from "../access/reach.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Denial } from "../protection/denials.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** One call of an operation, with what is known of it so far. */
export interface TracedCall {
  operation: OperationName;
  address: string;
  hasToken: boolean;
  actor: Actor | null;
  input?: unknown;
}

/** Records a refused call if the refusal matters for security. */
export function traceRefusal({ denials }: Services, traced: TracedCall, thrown: unknown): void {
  const event = thrown instanceof Failure ? eventOf(thrown, traced) : null;
  const actor = thrown instanceof RoleRefused ? thrown.actor : traced.actor;
  if (event) denials.note({ ...denialOf(traced), event, actor });
}

function eventOf({ code }: Failure, { actor, operation, hasToken }: TracedCall): Denial["event"] | null {
  if (code === "forbidden") return "refuse role";
  if (code === "too_many_requests") return "refuse rate";
  if (code === "unauthenticated" && hasToken) return "refuse token";
  // Administrators reach everything: what they don't find does not exist.
  if (code === "not_found" && actor && access[operation].reach !== "any") return "refuse record";
  return null;
}

/**
 * Records a call that asked for another partner's customer: the answer is an empty list, as if the customer did not
 * exist.
 */
export function traceEmptyAnswer({ denials }: Services, traced: TracedCall, scope: Scope<Reach> | null): void {
  if (scope?.reach !== "customers") return;
  if (soughtOutOfReach(scope)) denials.note({ ...denialOf(traced), event: "refuse record", actor: scope.actor });
}

function denialOf({ operation, address, input }: TracedCall) {
  const fields = fieldsOf(input);
  const sought = ["quote_id", "id", "fileName", "email"].map((name) => fields[name]).find(Boolean);
  return { operation, address, ...(typeof sought === "string" && { sought }) };
}

/** The fields of an input or answer; none if it is not an object. */
export const fieldsOf = (input: unknown): Record<string, unknown> =>
  typeof input === "object" && input !== null ? { ...input } : {};
