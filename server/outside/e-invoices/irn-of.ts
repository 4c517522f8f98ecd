import { sha256Of } from "../../protection/sha256-of.ts";
import type { DocumentKey } from "./registrar.ts";

/**
 * The invoice reference number, the same on every portal: SHA-256 over the seller's GSTIN, the financial year as
 * 2026-27, the type and the number, without separators (https://einv-apisandbox.nic.in/irn.html).
 */
export function irnOf(gstin: string, { type, number, day }: DocumentKey): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  const first = month >= 4 ? year : year - 1;
  const financialYear = `${first}-${String((first + 1) % 100).padStart(2, "0")}`;
  return sha256Of(`${gstin}${financialYear}${type}${number}`);
}
