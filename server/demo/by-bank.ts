import { eq } from "drizzle-orm";
import { earlier, later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { issueInvoice } from "../billing/invoices.ts";
import { findPayingTransfers } from "../billing/paying-transfers.ts";
import { issueProforma } from "../billing/proformas.ts";
import { amendByOrder } from "../contracts/amend-by-order.ts";
import type { Transaction } from "../database/database.ts";
import { mails, orders, type quotes, transfers } from "../database/schema/index.ts";
import { postEntry } from "../ledger/post-entry.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { claimDeducted } from "../transfers/claim-deducted.ts";
import { callForMatch, keepSeen } from "../transfers/record-transfer.ts";

type Way = "proforma" | "transfer" | "invoice";
type Order = typeof orders.$inferSelect;

export const stateByBank = { proforma: "awaiting_transfer", transfer: "success", invoice: "invoiced" } as const;
/** One of the deductions that the sample seller offers. */
export const sampleDeduction = { section: "SAMPLE 10%", percent: 10 };

/** Buys by transfer or against invoice, backdated, through the code of every such order; its mails count as sent. */
export async function buyByBank(
  services: Services,
  transaction: Transaction,
  way: Way,
  order: Order,
  quote: typeof quotes.$inferSelect,
  at: Date,
): Promise<void> {
  const then = { ...services, now: () => at };
  const { bank, creditDays } = await readSeller(transaction);
  if (!bank || creditDays === null) throw new Error("The sample seller has no bank account");
  const email = order.buyerEmail;
  if (way === "proforma") {
    const { id } = await issueProforma(then, transaction, order, quote, bank);
    return countAsSent(transaction, `proforma:${id}`, email, at);
  }
  if (way === "transfer") await payByTransfer(then, transaction, order);
  else await issueInvoice(then, transaction, { ...order, paymentId: "" }, { creditDays, bank });
  await countAsSent(transaction, way === "transfer" ? `receipt:${order.id}` : `invoice-due:${order.id}`, email, at);
  // A second later, because History is sorted by time.
  const afterwards = { ...services, now: () => later(at, { seconds: 1 }) };
  await claimDeducted(afterwards, transaction, order);
  await amendByOrder(then, transaction, order.id);
}

async function payByTransfer({ now, ...services }: Services, transaction: Transaction, order: Order): Promise<void> {
  const utr = `SAMPLE${String(order.serial).padStart(8, "0")}`;
  const amountPaise = order.amountPaise - (order.deducts?.amountPaise ?? 0);
  const came = { utr, amountPaise, receivedOn: writtenDay(now()), payer: order.organisationName.toUpperCase() };
  const [transfer] = await transaction
    .insert(transfers)
    .values({ ...came, state: "matched", orderId: order.id, createdAt: now(), matchedAt: now() })
    .returning({ id: transfers.id });
  await transaction.update(orders).set({ paymentId: utr, paidAt: now() }).where(eq(orders.id, order.id));
  const paid = { ...order, paymentId: utr, transfers: await findPayingTransfers(transaction, order.id) };
  await issueInvoice({ ...services, now }, transaction, paid);
  const money = { orderId: order.id, kind: "payment", about: utr, at: now() } as const;
  await postEntry(transaction, { ...money, eventId: transfer?.id ?? "", amountPaise: -amountPaise });
}

/** A transfer whose purpose nobody can tell, for a person to match. */
export async function insertUnknownTransfer(services: Services, transaction: Transaction): Promise<void> {
  const cameAt = earlier(services.now(), { days: 1 });
  const seen = await keepSeen({ ...services, now: () => cameAt }, transaction, undefined, {
    utr: "SAMPLE00009999",
    amountPaise: 5_00_000_00,
    receivedOn: writtenDay(cameAt),
    payer: "SAMPLE PAYER",
    narration: "SAMPLE NEFT SOC SERVICES",
  });
  await callForMatch(transaction, seen, undefined);
}

/** Records a mail as sent in the past, so that it is not sent now. */
export async function countAsSent(
  transaction: Transaction,
  eventKey: string,
  recipient: string,
  at: Date,
): Promise<void> {
  await transaction.insert(mails).values({ eventKey, recipient, attachments: [], createdAt: at, sentAt: at });
}
