import { and, desc, eq, inArray, isNull, ne } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { daysOfPaperMails } from "../accounts/mail-buyer.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import {
  orders,
  receipts,
  refunds,
  type RefundVoucherContent,
  refundVouchers,
  refundVoucherSeries,
  transfers,
  enteredStates,
} from "../database/schema/index.ts";
import { refundVoucherShownAs } from "../files/shown-as.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { shareOf, type Sums } from "./credit-share.ts";
import { keepAndMail } from "./keep-and-mail.ts";
import { nextInSeries, numberInSeries } from "./series.ts";
import { refundVoucherData } from "./voucher-document.ts";

type Receipt = typeof receipts.$inferSelect;
type Refund = typeof refunds.$inferSelect;

/**
 * Issues the refund vouchers for an advance given back without an invoice (none was issued yet, or it was cancelled),
 * in the transaction that records the refund: one for each receipt voucher that it uses up, newest first, or first that
 * of the transfer which belongs to another order. Excess payments go back first and need none. PDFs and mails follow
 * through the queue.
 */
export async function issueRefundVouchers(services: Services, transaction: Transaction, refund: Refund): Promise<void> {
  const vouchers = await transaction.select().from(refundVouchers).where(eq(refundVouchers.orderId, refund.orderId));
  const received = await transaction
    .select()
    .from(receipts)
    .where(eq(receipts.orderId, refund.orderId))
    .orderBy(desc(receipts.issuedAt), desc(receipts.id));
  const isOfMoved = ({ transferId }: Receipt) => Number(transferId === refund.movedFrom);
  received.sort((one, other) => isOfMoved(other) - isOfMoved(one));
  let leftPaise = refund.amountPaise - (await ofTopPaise(transaction, refund, vouchers));
  for (const receipt of received) {
    const before = vouchers.filter(({ receiptId }) => receiptId === receipt.id).map(({ content }) => content);
    const backPaise = before.reduce((sum, { totalPaise }) => sum + totalPaise, 0);
    const amountPaise = Math.min(leftPaise, receipt.content.totalPaise - backPaise);
    if (amountPaise <= 0) continue;
    leftPaise -= amountPaise;
    // oxlint-disable-next-line no-await-in-loop -- numbers follow one another
    await issue(services, transaction, refund, receipt, shareOf(receipt.content, before, amountPaise));
  }
}

/**
 * The part of a refund that gives back excess payments: those that earlier refunds have not yet given back without a
 * voucher.
 */
async function ofTopPaise(
  transaction: Transaction,
  { id, orderId, amountPaise }: Refund,
  vouchers: readonly (typeof refundVouchers.$inferSelect)[],
): Promise<number> {
  const came = await transaction
    .select({ paise: transfers.excessPaise })
    .from(transfers)
    .where(and(eq(transfers.orderId, orderId), inArray(transfers.state, enteredStates)));
  const before = await transaction
    .select({ paise: refunds.amountPaise })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), ne(refunds.id, id), isNull(refunds.attemptId), eq(refunds.state, "done")));
  const sumOf = (sums: readonly { paise: number }[]) => sums.reduce((sum, { paise }) => sum + paise, 0);
  const vouched = sumOf(vouchers.map(({ content }) => ({ paise: content.totalPaise })));
  return Math.min(amountPaise, Math.max(0, sumOf(came) - (sumOf(before) - vouched)));
}

async function issue(
  services: Services,
  transaction: Transaction,
  refund: Refund,
  receipt: Receipt,
  sums: Sums,
): Promise<void> {
  const { issuedAt, financialYear, serial } = await nextInSeries(services, transaction, refundVoucherSeries);
  const number = numberInSeries("RF", financialYear, serial);
  const { cin } = await readSeller(transaction);
  const { orderId } = refund;
  const [made] = await transaction
    .insert(refundVouchers)
    .values({
      orderId,
      receiptId: receipt.id,
      refundId: refund.id,
      financialYear,
      serial,
      number,
      content: { ...contentOf(refund, receipt, sums), supplier: brand, ...(cin && { cin }) },
      issuedAt,
    })
    .returning({ id: refundVouchers.id });
  await services.jobs.add(transaction, "render-refund-voucher", { refundVoucherId: made?.id ?? "" });
  await audit(transaction, null, "issue refund voucher", `refund voucher:${number}`, {
    orderId,
    receipt: receipt.number,
    amountPaise: sums.totalPaise,
  });
}

function contentOf({ bankReference, paidOn, movedFrom }: Refund, { number, issuedAt, content }: Receipt, sums: Sums) {
  if (!bankReference || !paidOn) throw new Error("What came by transfer went back without a bank reference");
  const { utr: _utr, receivedOn: _receivedOn, cin: _cin, ...said } = content;
  return {
    ...said,
    ...sums,
    description: `${movedFrom ? "Taken off" : "Given back"}: ${said.description.replace(/^A/, "a")}`,
    receiptNumber: number,
    receiptDay: writtenDay(issuedAt),
    bankReference,
    paidOn,
    ...(movedFrom && { isMoved: true }),
  } satisfies RefundVoucherContent;
}

/**
 * Renders a refund voucher, keeps it and mails it. Safe to run again after a crash at any point: one file, one mail.
 */
export async function deliverRefundVoucher(services: Services, refundVoucherId: string): Promise<void> {
  const [found] = await services.database
    .select({ voucher: refundVouchers, order: orders })
    .from(refundVouchers)
    .innerJoin(orders, eq(orders.id, refundVouchers.orderId))
    .where(eq(refundVouchers.id, refundVoucherId));
  if (!found || found.voucher.file) return;
  const { voucher, order } = found;
  const { content } = voucher;
  await keepAndMail(services, refundVouchers, voucher.id, order, {
    kind: "refund-voucher",
    pdf: await services.documents.render("refundVoucher", refundVoucherData(voucher)),
    shownAs: refundVoucherShownAs(voucher.number),
    mail: {
      eventKey: `advance-back:${voucher.id}`,
      content: {
        template: "advanceBack",
        name: content.billTo.name,
        voucherNumber: voucher.number,
        receiptNumber: content.receiptNumber,
        orderNumber: content.orderNumber ?? "",
        amountPaise: content.totalPaise,
        bankReference: content.bankReference,
        ...(content.isMoved && { isMoved: true }),
        link: `${services.publicUrl}/user/payments-due`,
      },
      uselessAfter: later(voucher.issuedAt, { days: daysOfPaperMails }),
    },
  });
}
