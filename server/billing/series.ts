import { getTableName, sql } from "drizzle-orm";
import { financialYearOf } from "../../contract/india-time.ts";
import type { Transaction } from "../database/database.ts";
import type {
  creditNoteSeries,
  invoiceSeries,
  proformaSeries,
  receiptSeries,
  refundVoucherSeries,
} from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** RV/26-27/0001, for a series of documents with this prefix. */
export const numberInSeries = (prefix: string, financialYear: string, serial: number) =>
  `${prefix}/${financialYear}/${String(serial).padStart(4, "0")}`;

/**
 * The next number of a series and its time of issue. The clock is read after the series is locked, so that numbers and
 * dates run the same way, also over midnight and between financial years. A rollback leaves no gap.
 */
export async function nextInSeries(
  { now }: Pick<Services, "now">,
  transaction: Transaction,
  series:
    | typeof invoiceSeries
    | typeof creditNoteSeries
    | typeof proformaSeries
    | typeof receiptSeries
    | typeof refundVoucherSeries,
): Promise<{ issuedAt: Date; financialYear: string; serial: number }> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${getTableName(series)}, 0))`);
  const issuedAt = now();
  const financialYear = financialYearOf(issuedAt);
  const [taken] = await transaction
    .insert(series)
    .values({ financialYear, lastSerial: 1 })
    .onConflictDoUpdate({ target: series.financialYear, set: { lastSerial: sql`${series.lastSerial} + 1` } })
    .returning({ serial: series.lastSerial });
  return { issuedAt, financialYear, serial: taken?.serial ?? 1 };
}
