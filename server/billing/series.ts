import { sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import type {
  creditNoteSeries,
  invoiceSeries,
  proformaSeries,
  receiptSeries,
  refundVoucherSeries,
} from "../database/schema/index.ts";

/** RV/26-27/0001, in a series of papers with a prefix of its own. */
export const numberInSeries = (prefix: string, financialYear: string, serial: number) =>
  `${prefix}/${financialYear}/${String(serial).padStart(4, "0")}`;

/** The row stays locked until the transaction ends: one that rolls back leaves no gap. */
export async function nextSerial(
  transaction: Transaction,
  series:
    | typeof invoiceSeries
    | typeof creditNoteSeries
    | typeof proformaSeries
    | typeof receiptSeries
    | typeof refundVoucherSeries,
  financialYear: string,
): Promise<number> {
  const [taken] = await transaction
    .insert(series)
    .values({ financialYear, lastSerial: 1 })
    .onConflictDoUpdate({ target: series.financialYear, set: { lastSerial: sql`${series.lastSerial} + 1` } })
    .returning({ serial: series.lastSerial });
  return taken?.serial ?? 1;
}
