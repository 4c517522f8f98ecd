import { between, getTableName, sql } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
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

/** How far a clock may be behind the series, as between copies or when it is corrected. */
const behindMax = { hours: 1 };

/**
 * The next number of a series and its time of issue. The clock is read after the series is locked, so that numbers and
 * dates run the same way, also over midnight and between financial years; where it is a little behind, the paper has
 * the time of the one before. A rollback leaves no gap.
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
  const read = now();
  const financialYear = financialYearOf(read);
  const last = series.lastIssuedAt;
  const isBehind = between(last, read, later(read, behindMax));
  const [taken] = await transaction
    .insert(series)
    .values({ financialYear, lastSerial: 1, lastIssuedAt: read })
    .onConflictDoUpdate({
      target: series.financialYear,
      set: {
        lastSerial: sql`${series.lastSerial} + 1`,
        lastIssuedAt: sql`case when ${isBehind} then ${last} else ${sql.param(read, last)} end`,
      },
    })
    .returning({ serial: series.lastSerial, issuedAt: series.lastIssuedAt });
  return { issuedAt: taken?.issuedAt ?? read, financialYear, serial: taken?.serial ?? 1 };
}
