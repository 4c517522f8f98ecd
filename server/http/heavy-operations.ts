import { access } from "../../contract/access.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import type { HeavyGate } from "../protection/gate.ts";
import { isList } from "./list-stream.ts";
import { fieldsOf } from "./trace-refusal.ts";

/** What looks through the records of many whatever it is asked: sums over them, registers, and what the palette finds. */
const always: Partial<Record<OperationName, HeavyGate>> = {
  "admin/find": "palette",
  "partner/find": "palette",
  "admin/overview": "heavy",
  "admin/getPartnerDashboardByEmail": "heavy",
  "partner/get-partner-dashboard": "heavy",
  "admin/service": "heavy",
  "partner/service": "heavy",
  "admin/leads/funnel": "heavy",
  "admin/receivables/ageing": "heavy",
  "admin/register": "heavy",
};

/** Lists of one organisation that may be as long as those of many: a partner's people act for all of its customers. */
const longLists: ReadonlySet<OperationName> = new Set<OperationName>(["partner/audit"]);

/**
 * The gate of a call that looks through the records of many; null for any other. Beside what always does, these are searches
 * of lists and whole lists that reach beyond one's own organisation.
 */
export function heavyGateOf(name: OperationName, given: unknown, isWhole: boolean): HeavyGate | null {
  const { reach } = access[name];
  const isLongList = isList(operations[name]) && (reach === "any" || reach === "customers" || longLists.has(name));
  return always[name] ?? (isLongList && (isWhole || "search" in fieldsOf(given)) ? "heavy" : null);
}
