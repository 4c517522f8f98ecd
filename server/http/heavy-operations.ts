import { access } from "../../contract/access.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import type { HeavyGate } from "../protection/gate.ts";
import { isList } from "./list-stream.ts";
import { fieldsOf } from "./trace-refusal.ts";

/** Operations that always read many organisations' records: totals, registers, and the palette's search. */
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

/** Lists of one organisation that may be as long as those of many: a partner's staff act for all its customers. */
const longLists: ReadonlySet<OperationName> = new Set<OperationName>(["partner/audit"]);

/**
 * The gate for a call that reads many organisations' records; null for any other call. Besides the operations above,
 * these are searches and exports of lists that reach beyond the caller's organisation.
 */
export function heavyGateOf(name: OperationName, given: unknown, isWhole: boolean): HeavyGate | null {
  const { reach } = access[name];
  const isLongList = isList(operations[name]) && (reach === "any" || reach === "customers" || longLists.has(name));
  return always[name] ?? (isLongList && (isWhole || "search" in fieldsOf(given)) ? "heavy" : null);
}
