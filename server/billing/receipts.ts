import { eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { later } from "../../contract/durations.ts";
import { orderNumber, quoteNumber } from "../../contract/numbers.ts";
import { daysOfPaperMails } from "../accounts/mail-buyer.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import {
  orders,
  quotes,
  type ReceiptContent,
  receipts,
  receiptSeries,
  refundVouchers,
  type transfers,
} from "../database/schema/index.ts";
import { receiptShownAs } from "../files/shown-as.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { shareOf, standingOf, type TaxedAdvance } from "./credit-share.ts";
import { contentOf } from "./invoices.ts";
import { keepAndMail } from "./keep-and-mail.ts";
import { nextInSeries, numberInSeries } from "./series.ts";
import { receiptData } from "./voucher-document.ts";

/**
 * Issues the receipt voucher for an advance, in the transaction that matches the transfer; PDF and mail follow through
 * the queue. Its taxes are the order's in proportion, so that all valid receipts of an order add up to it, to the
 * paisa.
 */
export async function issueReceipt(
  services: Services,
  transaction: Transaction,
  order: typeof orders.$inferSelect,
  transfer: typeof transfers.$inferSelect,
): Promise<string> {
  const { issuedAt, financialYear, serial } = await nextInSeries(services, transaction, receiptSeries);
  const number = numberInSeries("RV", financialYear, serial);
  const [made] = await transaction
    .insert(receipts)
    .values({
      orderId: order.id,
      transferId: transfer.id,
      financialYear,
      serial,
      number,
      content: await contentOfReceipt(issuedAt, transaction, order, transfer),
      issuedAt,
    })
    .returning({ id: receipts.id });
  await services.jobs.add(transaction, "render-receipt", { receiptId: made?.id ?? "" });
  await audit(transaction, null, "issue receipt", `receipt:${number}`, { orderId: order.id, utr: transfer.utr });
  return number;
}

async function contentOfReceipt(
  issuedAt: Date,
  transaction: Transaction,
  order: typeof orders.$inferSelect,
  { amountPaise, utr, receivedOn }: typeof transfers.$inferSelect,
): Promise<ReceiptContent> {
  const [quote] = await transaction.select().from(quotes).where(eq(quotes.id, order.quoteId));
  if (!quote) throw new Error(`Order ${order.id} has no quote`);
  const content = contentOf({ ...order, paymentId: "" }, quote, issuedAt);
  const whole = { roundOffPaise: 0, ...content };
  const { cin } = await readSeller(transaction);
  const { billTo, placeOfSupply, treatment, sentences, lines, taxes } = content;
  const before = standingOf({ treatment, taxes }, await advancesOf(transaction, order.id));
  return {
    supplier: brand,
    ...(cin && { cin }),
    billTo,
    placeOfSupply,
    ...(treatment && { treatment }),
    ...(sentences && { sentences }),
    orderNumber: orderNumber(order.serial),
    quoteNumber: quoteNumber(quote.serial),
    sac: lines[0]?.sac ?? "",
    description: `Advance for a security operations centre subscription, order ${orderNumber(order.serial)}`,
    utr,
    receivedOn,
    ...shareOf(whole, before, amountPaise),
  };
}

/** An order's advances that have a receipt. */
async function advancesOf(transaction: Transaction, orderId: string): Promise<TaxedAdvance[]> {
  const received = await transaction.select().from(receipts).where(eq(receipts.orderId, orderId));
  const vouchers = await transaction.select().from(refundVouchers).where(eq(refundVouchers.orderId, orderId));
  return received.map(({ id, content }) => ({
    treatment: content.treatment,
    sums: content,
    back: vouchers.filter(({ receiptId }) => receiptId === id).map((voucher) => voucher.content),
  }));
}

/** Renders a receipt, keeps it and mails it. Safe to run again after a crash at any point: one file, one mail. */
export async function deliverReceipt(services: Services, receiptId: string): Promise<void> {
  const [found] = await services.database
    .select({ receipt: receipts, order: orders })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(eq(receipts.id, receiptId));
  if (!found || found.receipt.file) return;
  const { receipt, order } = found;
  await keepAndMail(services, receipts, receipt.id, order, {
    kind: "receipt",
    pdf: await services.documents.render("receipt", receiptData(receipt)),
    shownAs: receiptShownAs(receipt.number),
    mail: {
      eventKey: `advance:${receipt.id}`,
      content: {
        template: "advance",
        name: receipt.content.billTo.name,
        receiptNumber: receipt.number,
        orderNumber: receipt.content.orderNumber ?? "",
        amountPaise: receipt.content.totalPaise,
        link: `${services.publicUrl}/user/payments-due`,
      },
      uselessAfter: later(receipt.issuedAt, { days: daysOfPaperMails }),
    },
  });
}
