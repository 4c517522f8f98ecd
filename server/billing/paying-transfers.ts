import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database, Transaction } from "../database/database.ts";
import { enteredStates, type PayingTransfer, receipts, refundVouchers, transfers } from "../database/schema/index.ts";

/** What arrived by transfer for an order, and the part of it in excess of what was to be paid. */
export async function cameByTransfer(
  database: Database | Transaction,
  orderId: string,
): Promise<{ camePaise: number; onTopPaise: number }> {
  const [came] = await database
    .select({
      paise: sql<string>`coalesce(sum(${transfers.amountPaise}), 0)`,
      onTop: sql<string>`coalesce(sum(${transfers.excessPaise}), 0)`,
    })
    .from(transfers)
    .where(and(eq(transfers.orderId, orderId), inArray(transfers.state, enteredStates)));
  return { camePaise: Number(came?.paise ?? 0), onTopPaise: Number(came?.onTop ?? 0) };
}

/**
 * The transfers that pay an order before its invoice, by their day at the bank. Each counts without its excess and
 * without what refund vouchers gave back; those with nothing left are omitted.
 */
export async function findPayingTransfers(transaction: Transaction, orderId: string): Promise<PayingTransfer[]> {
  const came = await transaction
    .select({ transfer: transfers, receiptId: receipts.id })
    .from(transfers)
    .leftJoin(receipts, eq(receipts.transferId, transfers.id))
    .where(and(eq(transfers.orderId, orderId), inArray(transfers.state, enteredStates)))
    .orderBy(asc(transfers.receivedOn), asc(transfers.createdAt), asc(transfers.id));
  const vouchers = await transaction.select().from(refundVouchers).where(eq(refundVouchers.orderId, orderId));
  return came
    .map(({ transfer: { utr, receivedOn, amountPaise, excessPaise }, receiptId }) => {
      const back = vouchers.filter((voucher) => voucher.receiptId === receiptId);
      const backPaise = back.reduce((sum, { content }) => sum + content.totalPaise, 0);
      return { utr, receivedOn, amountPaise, paysPaise: amountPaise - excessPaise - backPaise };
    })
    .filter(({ paysPaise }) => paysPaise > 0);
}
