import { type AuditAction, untoldActions } from "../../contract/audit.ts";
import { isRecord } from "./facts.ts";

/** What somebody typed. No customer and no partner reads it, unless the table says that they do. */
const typed = ["reason", "remark", "answer"];
/** Where an engine is and what it calls the customer: it may be ours, within our network. */
const whereEnginesAre = [...typed, "address", "indexerAddress", "tenantKey", "dashboardAddress"];
/** Said to the customer in these words, or by the customer's own people. */
const nothing: readonly string[] = [];

/**
 * The facts, by their names, that customers and partners are not told of an action. Of one that is not here they are told
 * all but what was typed, and nothing of `untoldActions`.
 */
const withheld: Partial<Record<AuditAction, readonly string[]>> = {
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
  "correct deducted tax": nothing,
  "owe tax again": nothing,
  "refuse tax certificate": nothing,
  "refuse less": nothing,
  "drop true-up": nothing,
  "suppress findings": nothing,
};

/** What a customer or partner is told of an entry's detail, of what was there before and after too. */
export function withoutWithheld(action: string, detail: Record<string, unknown>): Record<string, unknown> {
  const isUntold = untoldActions.some((untold) => untold === action);
  const facts = isUntold ? Object.keys(detail) : (withheld[action as AuditAction] ?? typed);
  // What somebody sought in vain would say whether there is such a thing elsewhere.
  const names = new Set(["sought", ...facts]);
  return leaveOut(names, detail);
}

const leaveOut = (names: ReadonlySet<string>, told: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(told)
      .filter(([name]) => !names.has(name))
      .map(([name, value]) => [name, isRecord(value) ? leaveOut(names, value) : value]),
  );
