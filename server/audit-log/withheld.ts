import type { AuditAction } from "../../contract/audit.ts";
import { isRecord } from "./facts.ts";

/** What somebody typed. No customer and no partner reads it, unless the table says that they do. */
const typed = ["reason", "remark", "answer"];
/** Where an engine is and what it calls the customer: it may be ours, within our network. */
const whereEnginesAre = [...typed, "address", "indexerAddress", "tenantKey", "dashboardAddress"];
/** Said to the customer in these words, or by the customer's own people. */
const nothing: readonly string[] = [];

/**
 * What customers and partners are not told of an action: the whole entry, or facts by their names. Of an action that is
 * not here they are told all but what was typed.
 */
const withheld: Partial<Record<AuditAction, "entry" | readonly string[]>> = {
  // As in the history of an order: what waits for consent, or is refused, is nothing that a buyer should count on.
  "ask refund": "entry",
  "approve refund": "entry",
  "decline refund": "entry",
  "refund sent": typed,
  "refund done": typed,
  "refund failed": typed,
  "refund needs a look": typed,
  "payment needs a look": typed,
  "write off": typed,
  "give credit back": typed,
  "issue credit note": typed,
  "ask to cancel e-invoice": typed,
  "cancel e-invoice": typed,
  "e-invoice not cancelled": typed,
  "resolve action": typed,
  "resolve finding": typed,
  "bind engine": whereEnginesAre,
  "change engine": whereEnginesAre,
  "test engine": whereEnginesAre,
  "remove engine": whereEnginesAre,
  "decline quote": nothing,
  "void proforma": nothing,
  "owe tax again": nothing,
  "refuse tax certificate": nothing,
  "refuse less": nothing,
  "drop true-up": nothing,
  "suppress findings": nothing,
};

/** Actions of which no entry is listed, counted or found for a customer or partner. */
export const withheldActions = Object.keys(withheld).filter((action) => withheld[action as AuditAction] === "entry");

/** What a customer or partner is told of an entry's detail, of what was there before and after too. */
export function withoutWithheld(action: string, detail: Record<string, unknown>): Record<string, unknown> {
  const facts = withheld[action as AuditAction] ?? typed;
  // What somebody sought in vain would say whether there is such a thing elsewhere.
  const names = new Set(["sought", ...(facts === "entry" ? Object.keys(detail) : facts)]);
  return leaveOut(names, detail);
}

const leaveOut = (names: ReadonlySet<string>, told: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(told)
      .filter(([name]) => !names.has(name))
      .map(([name, value]) => [name, isRecord(value) ? leaveOut(names, value) : value]),
  );
