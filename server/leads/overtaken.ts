import { and, desc, eq, inArray, or } from "drizzle-orm";
import { leadStates } from "../../contract/lead-states.ts";
import { isRecord, withValues } from "../audit-log/facts.ts";
import type { Transaction } from "../database/database.ts";
import { auditEntries, auditValues, leads, people } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";

type LeadRecord = typeof leads.$inferSelect;
type Entry = Awaited<ReturnType<typeof findEntries>>[number];

/** Fields that can be changed, with their names in the audit log and in the API; typed text may name people. */
export const fields = {
  state: { told: "state", wire: "state", isTyped: false },
  lostReason: { told: "lostReason", wire: "lost_reason", isTyped: true },
  ownerId: { told: "owner", wire: "owner_id", isTyped: false },
  nextStep: { told: "nextStep", wire: "next_step", isTyped: true },
  nextStepOn: { told: "nextStepOn", wire: "next_step_on", isTyped: false },
  gstin: { told: "gstin", wire: "gstin", isTyped: true },
} as const;

/** Says who changed which fields of a lead since it was read, or made or revised its quote, and the values now. */
export async function overtaken(transaction: Transaction, lead: LeadRecord, version: number): Promise<Failure> {
  // A quote of a lead joined into this one advances this one too.
  const shown = await transaction
    .select({ quoteId: leads.quoteId, number: leads.quoteNumber })
    .from(leads)
    .where(or(eq(leads.id, lead.id), eq(leads.joinedTo, lead.id)));
  const numbers = new Map(shown.map(({ quoteId, number }) => [`quote:${quoteId}`, number]));
  const steps = lead.version - version;
  const missed = missedOf(await findEntries(transaction, [`lead:${lead.id}`, ...numbers.keys()]), version, steps);
  const names = new Set(
    missed.flatMap(({ firstName, lastName }) => (firstName === null ? [] : `${firstName} ${lastName}`)),
  );
  const offers = missed.flatMap(({ action, subject }) =>
    isOffer(action) ? `${numbers.get(subject)} was ${action === "make quote" ? "made" : "revised"}` : [],
  );
  const who = [...names].join(" and ") || "The software";
  const told = `${who} ${names.size > 1 ? "have" : "has"} changed this lead meanwhile`;
  const sentence = offers.length > 0 ? `${told}: ${[...new Set(offers)].join(", ")}.` : `${told}.`;
  return new Failure("conflict", sentence, { fields: toldNow(lead, missed, steps) });
}

const isOffer = (action: string) => action === "make quote" || action === "revise quote";

/** The audit entries about a lead or its quotes, newest first. */
async function findEntries(transaction: Transaction, subjects: string[]) {
  const actions = ["change lead", "take in lead", "join lead", "separate lead", "make quote", "revise quote"] as const;
  const found = await transaction
    .select({
      id: auditEntries.id,
      action: auditEntries.action,
      subject: auditEntries.subject,
      detail: auditEntries.detail,
      values: auditValues.values,
      firstName: people.firstName,
      lastName: people.lastName,
    })
    .from(auditEntries)
    .leftJoin(auditValues, eq(auditValues.entryId, auditEntries.id))
    .leftJoin(people, eq(people.id, auditEntries.actorId))
    .where(and(inArray(auditEntries.subject, subjects), inArray(auditEntries.action, actions)))
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(20);
  // By id: written under the lead's lock, they are in order, whereas their times are when their transactions began.
  return found.toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/**
 * Of entries, newest first, returns those after a version, oldest first. Some entries record no version: of these there
 * are at most as many as versions that no other entry accounts for.
 */
function missedOf(entries: Entry[], version: number, steps: number): Entry[] {
  const seen = entries.findIndex(({ detail }) => Number(detail["version"]) <= version);
  const since = seen < 0 ? entries : entries.slice(0, seen);
  const isCounted = ({ detail }: Entry) => detail["version"] !== undefined;
  const left = Math.max(0, steps - since.filter(isCounted).length);
  const uncounted = new Set(since.filter((entry) => !isCounted(entry)).slice(0, left));
  return since.filter((entry) => isCounted(entry) || uncounted.has(entry)).toReversed();
}

/** The current value of each field that may have changed, by its name in the API. */
function toldNow(lead: LeadRecord, missed: Entry[], steps: number): Record<string, string> {
  const now: Record<string, unknown> = {};
  for (const { detail, values } of missed) {
    const { after } = withValues(detail, values);
    if (isRecord(after)) Object.assign(now, after);
  }
  // A sale is audited with its order only, and an erasure does not name the fields that it empties.
  const isUntold = missed.length < steps;
  if (isUntold && lead.state !== "won")
    Object.assign(now, { lostReason: lead.lostReason, nextStep: lead.nextStep, nextStepOn: lead.nextStepOn });
  const told = Object.values(fields).filter(({ told }) => now[told] !== undefined);
  const isSold = isUntold && lead.state === "won";
  if (isSold || told.length === 0 || missed.some(({ action }) => isOffer(action)))
    now["state"] = leadStates[lead.state];
  return Object.fromEntries(
    Object.values(fields).flatMap(({ told, wire }) => {
      const value = now[told];
      return value === undefined
        ? []
        : [[wire, `Now: ${typeof value === "string" && value !== "" ? value : "nothing"}`]];
    }),
  );
}
