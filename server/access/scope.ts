import { eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Reach } from "../../contract/access.ts";
import { boughtStates } from "../../contract/orders.ts";
import type { Role } from "../../contract/roles.ts";
import { orders, organisations, quotes } from "../database/schema/index.ts";

/** A signed-in person. */
export interface Actor {
  personId: string;
  organisationId: string;
  role: Role;
  email: string;
  sessionId: string;
}

/** Not exported: no other file can make a scope, or read or change whose records it covers. */
const whose: unique symbol = Symbol("whose");

/**
 * The right to somebody's records. Every query about records takes one; `authorise` makes it with the reach that the
 * access table gives the operation, so that no query reaches further than its operation may.
 */
export interface Scope<R extends Reach> {
  readonly reach: R;
  /** The person who makes the request. */
  readonly actor: Actor;
  /** The id of the person, organisation or partner; empty for a reach over everything. */
  readonly [whose]: string;
}

/** The scope of a request with this reach; null for an operation that touches nobody's records. */
export type ScopeOf<R extends Reach> = R extends "none" ? null : Scope<R>;

const owners: Record<Exclude<Reach, "none">, (actor: Actor) => string> = {
  own: ({ personId }) => personId,
  organisation: ({ organisationId }) => organisationId,
  customers: ({ organisationId }) => organisationId,
  invited: ({ organisationId }) => organisationId,
  any: () => "",
};

/** Only for `authorise`; lint refuses it elsewhere. @throws Error for a visitor if records are touched */
export function grantScope<R extends Reach>(reach: R, actor: Actor | null): ScopeOf<R> {
  if (reach === "none") return null as ScopeOf<R>;
  if (!actor) throw new Error("Only somebody signed in can reach records");
  return scopeOver(reach, actor, owners[reach as Exclude<R, "none">](actor)) as ScopeOf<R>;
}

/**
 * A wider scope reduced to one organisation. The id must come from a query within the wider scope, all in `reach.ts`.
 */
export const narrowed = <R extends "organisation" | "customers">(
  { actor }: Scope<"customers" | "any">,
  reach: R,
  organisationId: string,
): Scope<R> => scopeOver(reach, actor, organisationId);

const scopeOver = <R extends Reach>(reach: R, actor: Actor, id: string): Scope<R> =>
  Object.freeze({ reach, actor, [whose]: id });

/** An id that no organisation has, so that the same statements run and find nothing. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

/** The id of the person whose own records the scope covers. */
export const personOf = (scope: Scope<"own">): string => scope[whose];

/** The id of the organisation whose records the scope covers; for null an id that nothing has. */
export const organisationOf = (scope: Scope<"organisation"> | null): string => scope?.[whose] ?? nobodysId;

/** The id of the partner whose customers' records the scope covers; for null an id that nothing has. */
export const partnerOf = (scope: Scope<"customers"> | null): string => scope?.[whose] ?? nobodysId;

/** Condition on `organisations` for a scope; undefined for all. */
export function organisationsIn(scope: Scope<"organisation" | "customers" | "any">): SQL | undefined {
  const conditions = {
    organisation: eq(organisations.id, scope[whose]),
    customers: eq(organisations.partnerId, scope[whose]),
    any: undefined,
  };
  return conditions[scope.reach];
}

/**
 * Condition on the quotes of a scope's organisations: a partner sees what it made, renewals and true-ups, which nobody
 * asks for, and what was bought (decision 39). For statements that join both tables, and the order if there is one.
 */
export const quotesIn = ({ reach }: Scope<"organisation" | "customers" | "any">): SQL | undefined =>
  reach === "customers"
    ? or(
        eq(quotes.partnerId, organisations.partnerId),
        sql`${quotes.term}->>'kind' in ('renew', 'true up')`,
        inArray(orders.state, boughtStates),
      )
    : undefined;
