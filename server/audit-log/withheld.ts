import { type AuditAction, untoldActions } from "../../contract/audit.ts";
import { isRecord } from "./facts.ts";

/** Free text that somebody typed. Customers and partners see it only where the table below says so. */
const typed = ["reason", "remark", "answer"];
/** An engine's addresses and its name for the customer: the engine may be ours, within our network. */
const whereEnginesAre = [...typed, "address", "indexerAddress", "tenantKey", "dashboardAddress"];
/** For text addressed to the customer, or written by the customer's own people. */
const nothing: readonly string[] = [];

/**
 * The names of the facts that are withheld from customers and partners, by action. For an action that is not listed,
 * what was typed is withheld; for `untoldActions`, everything.
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

/** An entry's detail, including `before` and `after`, without what is withheld from customers and partners. */
export function withoutWithheld(action: string, detail: Record<string, unknown>): Record<string, unknown> {
  const isUntold = untoldActions.some((untold) => untold === action);
  const facts = isUntold ? Object.keys(detail) : (withheld[action as AuditAction] ?? typed);
  // What somebody looked for in vain would reveal whether it exists elsewhere.
  const names = new Set(["sought", ...facts]);
  return leaveOut(names, detail);
}

const leaveOut = (names: ReadonlySet<string>, told: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(told)
      .filter(([name]) => !names.has(name))
      .map(([name, value]) => [name, isRecord(value) ? leaveOut(names, value) : value]),
  );
