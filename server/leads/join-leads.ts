import { and, desc, eq, gt, inArray, or, sql } from "drizzle-orm";
import { type LeadState, leadStages, leadStates } from "../../contract/lead-states.ts";
import { leadNumber } from "../../contract/numbers.ts";
import { audit, auditBeside } from "../audit/audit.ts";
import { isRecord, withValues } from "../audit-log/facts.ts";
import type { Actor, Scope } from "../access/scope.ts";
import type { Transaction } from "../database/database.ts";
import { auditEntries, auditValues, leads, orders } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

type LeadRecord = typeof leads.$inferSelect;
/** What joining changes of the lead that shows both. */
type Standing = Pick<LeadRecord, "state" | "furthest" | "lostReason">;

/**
 * Joins a lead, and whatever was joined into it, into another one about the same: that one shows the requests and
 * histories of all. Nothing is deleted, so that it can be separated again.
 * @throws Failure not_found; conflict for one that is joined already, and for a lead into itself
 */
export async function joinLeads(
  services: Services,
  { actor }: Scope<"any">,
  { id, into }: { id: string; into: string },
): Promise<void> {
  if (id === into) throw new Failure("conflict", "A lead can't be joined into itself.");
  await services.database.transaction(async (transaction) => {
    // In one order, so that two who join the same leads the other way round don't wait for each other.
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
    await transaction
      .update(leads)
      .set({ joinedTo: main.id, version: sql`${leads.version} + 1` })
      .where(or(eq(leads.id, lead.id), eq(leads.joinedTo, lead.id)));
    const isWon = lead.state === "won" || main.state === "won";
    const furthest = Math.max(lead.furthest, main.furthest);
    const { state, lostReason } = isWon ? { state: "won" as const, lostReason: "" } : main;
    await audit(transaction, actor.personId, "join lead", `lead:${lead.id}`, { into: leadNumber(main.serial) });
    const joined = { joined: leadNumber(lead.serial) };
    await setStanding(transaction, actor, "take in lead", main, { state, furthest, lostReason }, joined);
  });
}

/**
 * Takes a lead out of the one that it was joined into, with its state as it was then. That one is again what it was before,
 * unless it was changed or has bought meanwhile.
 * @throws Failure not_found
 */
export async function separateLead(services: Services, { actor }: Scope<"any">, id: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const [lead] = await transaction.select().from(leads).where(eq(leads.id, id)).for("update");
    if (!lead) throw notFound("This lead");
    if (!lead.joinedTo) return;
    // After the one that is joined into it, as the trigger that wins both locks them.
    const [main] = await transaction.select().from(leads).where(eq(leads.id, lead.joinedTo)).for("update");
    await transaction
      .update(leads)
      .set({ joinedTo: null, version: lead.version + 1 })
      .where(eq(leads.id, lead.id));
    await audit(transaction, actor.personId, "separate lead", `lead:${lead.id}`);
    if (!main || (await hasBought(transaction, main))) return;
    const before = await standingBefore(transaction, main, lead);
    if (before) await setStanding(transaction, actor, "change lead", main, before);
  });
}

/** Sets where a lead stands, and notes what was there before: `standingBefore` reads it. */
async function setStanding(
  transaction: Transaction,
  { personId }: Actor,
  action: "take in lead" | "change lead",
  lead: LeadRecord,
  after: Standing,
  about: Record<string, string> = {},
): Promise<void> {
  const version = lead.version + 1;
  await transaction
    .update(leads)
    .set({ ...after, version })
    .where(eq(leads.id, lead.id));
  const told = (one: Standing) => ({
    ...(lead.state !== after.state && { state: leadStates[one.state] }),
    ...(lead.furthest !== after.furthest && { furthest: leadStates[leadStages[one.furthest] ?? "new"] }),
  });
  const detail = { ...about, version, before: told(lead), after: told(after) };
  if (lead.lostReason === after.lostReason) {
    await audit(transaction, personId, action, `lead:${lead.id}`, detail);
    return;
  }
  // What is typed may name people.
  const values = { before: { lostReason: lead.lostReason }, after: { lostReason: after.lostReason } };
  await auditBeside(transaction, personId, action, { kind: "lead", id: lead.id }, { values, detail });
}

/** Whether an order of a lead, or of one that is joined into it, was paid. */
async function hasBought(transaction: Transaction, { id }: LeadRecord): Promise<boolean> {
  const quotesOf = transaction
    .select({ id: leads.quoteId })
    .from(leads)
    .where(or(eq(leads.id, id), eq(leads.joinedTo, id)));
  const isPaid = inArray(orders.state, ["success", "refund_pending", "partially_refunded", "refunded"]);
  return (await transaction.$count(orders, and(inArray(orders.quoteId, quotesOf), isPaid))) > 0;
}

/** Where a lead stood before another one was joined into it; null where that changed nothing, and where it has changed since. */
async function standingBefore(
  transaction: Transaction,
  main: LeadRecord,
  joined: LeadRecord,
): Promise<Standing | null> {
  const aboutMain = eq(auditEntries.subject, `lead:${main.id}`);
  const [taken] = await transaction
    .select({ at: auditEntries.at, detail: auditEntries.detail, values: auditValues.values })
    .from(auditEntries)
    .leftJoin(auditValues, eq(auditValues.entryId, auditEntries.id))
    .where(
      and(
        aboutMain,
        eq(auditEntries.action, "take in lead"),
        sql`${auditEntries.detail} ->> 'joined' = ${leadNumber(joined.serial)}`,
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(1);
  if (!taken) return null;
  const changedSince = and(aboutMain, eq(auditEntries.action, "change lead"), gt(auditEntries.at, taken.at));
  if ((await transaction.$count(auditEntries, changedSince)) > 0) return null;
  const { before, after } = withValues(taken.detail, taken.values);
  if (!isRecord(before) || Object.keys(before).length === 0) return null;
  const now = {
    state: leadStates[main.state],
    furthest: leadStates[leadStages[main.furthest] ?? "new"],
    lostReason: main.lostReason,
  };
  if (!isRecord(after) || Object.entries(after).some(([name, value]) => now[name as keyof typeof now] !== value))
    return null;
  const named = (states: readonly LeadState[], name: unknown) => states.find((state) => leadStates[state] === name);
  const furthest = named(leadStages, before["furthest"]);
  const { lostReason } = before;
  return {
    state: named(Object.keys(leadStates) as LeadState[], before["state"]) ?? main.state,
    furthest: furthest ? leadStages.findIndex((stage) => stage === furthest) : main.furthest,
    lostReason: typeof lostReason === "string" ? lostReason : main.lostReason,
  };
}
