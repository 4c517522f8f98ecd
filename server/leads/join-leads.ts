import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import { type LeadState, leadStages, leadStates, openLeadStates } from "../../contract/lead-states.ts";
import { leadNumber } from "../../contract/numbers.ts";
import { audit, auditBeside } from "../audit/audit.ts";
import { isRecord, withValues } from "../audit-log/facts.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { auditEntries, auditValues, leads, orders } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { isBought } from "../quotes/queries.ts";
import type { Services } from "../services.ts";
import { furthestOf } from "./change-lead.ts";

type LeadRecord = typeof leads.$inferSelect;
/** The fields of the main lead that joining changes. */
type Standing = Pick<LeadRecord, "state" | "furthest" | "lostReason">;

/**
 * Joins a lead, with all leads joined into it, into another one about the same matter, which then shows the requests
 * and histories of all. Nothing is deleted, so it can be separated again.
 * @throws Failure not_found; conflict for a lead that is joined already, and for a lead into itself
 */
export async function joinLeads(
  services: Services,
  { actor }: Scope<"any">,
  { id, into }: { id: string; into: string },
): Promise<void> {
  if (id === into) throw new Failure("conflict", "A lead can't be joined into itself.");
  await services.database.transaction(async (transaction) => {
    await takeTurns(transaction);
    // Locks joined leads first, as separating does, and the trigger that marks both as won.
    await transaction.select().from(leads).where(eq(leads.joinedTo, id)).orderBy(leads.id).for("update");
    // In id order, so that joining the same two leads the other way round can't deadlock.
    const found = await transaction
      .select()
      .from(leads)
      .where(inArray(leads.id, [id, into]))
      .orderBy(leads.id)
      .for("update");
    const [lead, main] = [found.find((each) => each.id === id), found.find((each) => each.id === into)];
    if (!lead || !main) throw notFound("This lead");
    if (lead.joinedTo === main.id) return;
    if (lead.joinedTo || main.joinedTo)
      throw new Failure("conflict", "One of these leads was joined into another one meanwhile. Please reload.");
    const others = await transaction.$count(leads, eq(leads.joinedTo, main.id));
    const own = others === 0 ? main : await ownStanding(transaction, main);
    const moved = await transaction
      .update(leads)
      .set({ joinedTo: main.id, version: sql`${leads.version} + 1` })
      .where(or(eq(leads.id, lead.id), eq(leads.joinedTo, lead.id)))
      .returning();
    await audit(transaction, actor.personId, "join lead", `lead:${lead.id}`, { into: leadNumber(main.serial) });
    await setStanding(transaction, actor, main, own, raised(main, [lead]), { joined: leadNumber(lead.serial) });
    const [alone] = moved.filter((each) => each.id === lead.id);
    // The leads that were joined into it now count for the other one.
    if (alone && moved.length > 1) await settle(transaction, actor, alone, await ownStanding(transaction, alone), main);
  });
}

/**
 * Separates a lead from the one that it was joined into. Each gets its own state back, unless something was bought.
 * @throws Failure not_found
 */
export async function separateLead(services: Services, { actor }: Scope<"any">, id: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    await takeTurns(transaction);
    const [lead] = await transaction.select().from(leads).where(eq(leads.id, id)).for("update");
    if (!lead) throw notFound("This lead");
    if (!lead.joinedTo) return;
    // After the joined lead, in the same order as the trigger that marks both as won.
    const [main] = await transaction.select().from(leads).where(eq(leads.id, lead.joinedTo)).for("update");
    const alone = { ...lead, joinedTo: null, version: lead.version + 1 };
    await transaction.update(leads).set({ joinedTo: null, version: alone.version }).where(eq(leads.id, lead.id));
    await audit(transaction, actor.personId, "separate lead", `lead:${lead.id}`);
    if (!main) return;
    await settle(transaction, actor, alone, alone, main);
    await settle(transaction, actor, main, await ownStanding(transaction, main), lead);
  });
}

/** Serialises joining and separating: while a chain of leads changes, no fixed lock order is right. */
const takeTurns = (transaction: Transaction) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('join leads', 0))`);

/** The standing of a lead together with those joined into it: as far as the furthest of them, and won if any is won. */
function raised({ state, furthest, lostReason }: Standing, joined: Standing[]): Standing {
  const stages = joined.map((one) => one.furthest);
  const isWon = joined.some((one) => one.state === "won");
  return { ...(isWon ? won : { state, lostReason }), furthest: Math.max(furthest, ...stages) };
}

const won = { state: "won", furthest: leadStages.length - 1, lostReason: "" } as const satisfies Standing;

/** After a separation, sets a lead to its own standing together with the leads still joined into it. */
async function settle(
  transaction: Transaction,
  actor: Actor,
  lead: LeadRecord,
  own: Standing,
  separated: LeadRecord,
): Promise<void> {
  const joined = await transaction.select().from(leads).where(eq(leads.joinedTo, lead.id));
  const hasWon = await hasBought(transaction, [lead, ...joined]);
  // A won lead keeps what somebody has changed since.
  if (hasWon && lead.furthest === won.furthest) return;
  const after = hasWon ? won : raised(own, joined);
  if (lead.state === after.state && lead.furthest === after.furthest && lead.lostReason === after.lostReason) return;
  await setStanding(transaction, actor, lead, lead, after, { separated: leadNumber(separated.serial) });
}

/** Why a standing changes: the number of the lead that was joined into it or separated from it. */
type Why = { joined: string } | { separated: string };

/** Sets a lead's standing and audits it. The standing before the first join is recorded in full, for `ownStanding`. */
async function setStanding(
  transaction: Transaction,
  { personId }: Actor,
  lead: LeadRecord,
  before: Standing,
  after: Standing,
  why: Why,
): Promise<void> {
  const version = lead.version + 1;
  await transaction
    .update(leads)
    .set({ ...after, version })
    .where(eq(leads.id, lead.id));
  const isJoined = "joined" in why;
  const told = (one: Standing) => ({
    ...((isJoined || before.state !== after.state) && { state: leadStates[one.state] }),
    ...((isJoined || before.furthest !== after.furthest) && {
      furthest: leadStates[leadStages[one.furthest] ?? "new"],
    }),
  });
  const detail = { ...why, version, before: told(before), after: told(after) };
  const action = isJoined ? "take in lead" : "change lead";
  if (before.lostReason === after.lostReason && !(isJoined && before.lostReason)) {
    await audit(transaction, personId, action, `lead:${lead.id}`, detail);
    return;
  }
  // Typed text may name people.
  const values = { before: { lostReason: before.lostReason }, after: { lostReason: after.lostReason } };
  await auditBeside(transaction, personId, action, { kind: "lead", id: lead.id }, { values, detail });
}

async function hasBought(transaction: Transaction, found: LeadRecord[]): Promise<boolean> {
  const quoteIds = found.flatMap(({ quoteId }) => quoteId ?? []);
  const of = await transaction.select({ state: orders.state }).from(orders).where(inArray(orders.quoteId, quoteIds));
  return of.some(({ state }) => isBought(state));
}

/** A lead's own standing: that before the first join, with later changes. Joining changes the state only to won. */
async function ownStanding(transaction: Transaction, lead: LeadRecord): Promise<Standing> {
  const changes = ["take in lead", "change lead"];
  const offers = ["make quote", "revise quote"];
  const entries = await transaction
    .select({ action: auditEntries.action, detail: auditEntries.detail, values: auditValues.values })
    .from(auditEntries)
    .leftJoin(auditValues, eq(auditValues.entryId, auditEntries.id))
    .where(
      or(
        and(eq(auditEntries.subject, `lead:${lead.id}`), inArray(auditEntries.action, changes)),
        and(eq(auditEntries.subject, `quote:${lead.quoteId}`), inArray(auditEntries.action, offers)),
      ),
    )
    .orderBy(asc(auditEntries.at), asc(auditEntries.id));
  const isWon = lead.state === "won";
  let own: Standing = isWon && entries.length > 0 ? { state: "new", furthest: 0, lostReason: "" } : lead;
  for (const { action, detail, values } of entries) {
    const { before, after, separated } = withValues(detail, values);
    if (action === "take in lead") own = { ...own, ...standingIn(before) };
    else if (offers.includes(action)) own = offered(own);
    else if (separated === undefined) own = come({ ...own, ...standingIn(after) });
  }
  if (isWon) return { ...own, lostReason: own.state === "lost" ? own.lostReason : "" };
  return come({ ...own, state: lead.state, lostReason: lead.lostReason });
}

const come = (standing: Standing): Standing => ({ ...standing, furthest: furthestOf(standing, standing.state) });

/** As `advanceLead` does: an open lead has received its proposal. */
function offered(own: Standing): Standing {
  if (!openLeadStates.some((state) => state === own.state)) return own;
  return come({ ...own, state: own.state === "negotiation" ? own.state : "proposal_sent" });
}

/** The standing that an audit entry records. */
function standingIn(told: unknown): Partial<Standing> {
  if (!isRecord(told)) return {};
  const named = (states: readonly LeadState[], name: unknown) => states.find((state) => leadStates[state] === name);
  const state = named(Object.keys(leadStates) as LeadState[], told["state"]);
  const stage = named(leadStages, told["furthest"]);
  const { lostReason } = told;
  return {
    ...(state && { state }),
    ...(stage && { furthest: leadStages.findIndex((each) => each === stage) }),
    ...(typeof lostReason === "string" && { lostReason }),
  };
}
