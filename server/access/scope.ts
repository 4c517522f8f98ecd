import { eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Reach } from "../../contract/access.ts";
import { boughtStates } from "../../contract/orders.ts";
import type { Role } from "../../contract/roles.ts";
import { orders, organisations, quotes } from "../database/schema/index.ts";

/** Someone signed in. */
export interface Actor {
  personId: string;
  organisationId: string;
  role: Role;
  email: string;
  sessionId: string;
}

/** Not exported: no other file can make a scope, or read or change whose records it is about. */
const whose: unique symbol = Symbol("whose");

/**
 * The right to touch somebody's records. Each query about records takes one; `authorise` makes it for the reach that the
 * access table gives the operation, so that no query goes further than its operation may.
 */
export interface Scope<R extends Reach> {
  readonly reach: R;
  /** Who asks. */
  readonly actor: Actor;
  /** The id of the person, organisation or partner; empty where the reach is bound to none. */
  readonly [whose]: string;
}

/** What a call of this reach gets; an operation that touches nobody's records gets none. */
export type ScopeOf<R extends Reach> = R extends "none" ? null : Scope<R>;

const owners: Record<Exclude<Reach, "none">, (actor: Actor) => string> = {
  own: ({ personId }) => personId,
  organisation: ({ organisationId }) => organisationId,
  customers: ({ organisationId }) => organisationId,
  invited: ({ organisationId }) => organisationId,
  any: () => "",
};

/** For `authorise` alone; lint refuses it elsewhere. @throws Error for a visitor where records are touched */
export function grantScope<R extends Reach>(reach: R, actor: Actor | null): ScopeOf<R> {
  if (reach === "none") return null as ScopeOf<R>;
  if (!actor) throw new Error("Only somebody signed in can reach records");
  return scopeOver(reach, actor, owners[reach as Exclude<R, "none">](actor)) as ScopeOf<R>;
}

/**
 * The part of a wider scope that is one organisation's.
 * The id comes from a query that is bound by the wider scope: `reach.ts` has all of these.
 */
export const narrowed = <R extends "organisation" | "customers">(
  { actor }: Scope<"customers" | "any">,
  reach: R,
  organisationId: string,
): Scope<R> => scopeOver(reach, actor, organisationId);

const scopeOver = <R extends Reach>(reach: R, actor: Actor, id: string): Scope<R> =>
  Object.freeze({ reach, actor, [whose]: id });

/** Stands for an organisation that is not there, so that the same statements run and answer nothing. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

/** The id of the person whose own records these are. */
export const personOf = (scope: Scope<"own">): string => scope[whose];

/** The id of the organisation whose records these are; for null an id that nothing has. */
export const organisationOf = (scope: Scope<"organisation"> | null): string => scope?.[whose] ?? nobodysId;

/** The id of the partner whose customers' records these are; for null an id that nothing has. */
export const partnerOf = (scope: Scope<"customers"> | null): string => scope?.[whose] ?? nobodysId;

/** Which of `organisations` a scope takes in; undefined for all. */
export function organisationsIn(scope: Scope<"organisation" | "customers" | "any">): SQL | undefined {
  const conditions = {
    organisation: eq(organisations.id, scope[whose]),
    customers: eq(organisations.partnerId, scope[whose]),
    any: undefined,
  };
  return conditions[scope.reach];
}

/**
 * Which quotes of the organisations in a scope it takes in: a partner sees what it made, what nobody asked for, and what is
 * bought (decision 39). For statements that join both, the order if there is one.
 */
export const quotesIn = ({ reach }: Scope<"organisation" | "customers" | "any">): SQL | undefined =>
  reach === "customers"
    ? or(
        eq(quotes.partnerId, organisations.partnerId),
        sql`${quotes.term}->>'kind' in ('renew', 'true up')`,
        inArray(orders.state, boughtStates),
      )
    : undefined;
