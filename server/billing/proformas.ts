import { and, eq } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { BankAccount } from "../../contract/seller.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { orders, type ProformaContent, proformas, proformaSeries, type quotes } from "../database/schema/index.ts";
import { proformaShownAs } from "../files/shown-as.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { contentOf } from "./invoices.ts";
import { proformaData } from "./proforma-document.ts";
import { keepAndMail } from "./keep-and-mail.ts";
import { nextInSeries, numberInSeries } from "./series.ts";

export type Proforma = typeof proformas.$inferSelect;

/** For how many days the mail of a proforma is tried. */
const mailDays = 30;

/** The reference that a payer writes into a transfer: twelve letters and digits, which every bank accepts. */
const proformaReference = (financialYear: string, serial: number) =>
  `PF${financialYear.replace("-", "")}${String(serial).padStart(6, "0")}`;

/**
 * Issues a proforma that asks for a transfer of an order's total; PDF and mail follow through the queue. The caller has
 * locked the order, which has no open proforma.
 */
export async function issueProforma(
  services: Services,
  transaction: Transaction,
  order: typeof orders.$inferSelect,
  quote: typeof quotes.$inferSelect,
  bank: BankAccount,
): Promise<Proforma> {
  const { issuedAt, financialYear, serial } = await nextInSeries(services, transaction, proformaSeries);
  const { cin } = await readSeller(transaction);
  const { paymentId: _none, ...said } = contentOf({ ...order, paymentId: "" }, quote, issuedAt);
  const payPaise = said.totalPaise - (order.deducts?.amountPaise ?? 0);
  const content: ProformaContent = {
    ...said,
    supplier: brand,
    ...(cin && { cin }),
    bank,
    ...(order.deducts && { taxDeducted: order.deducts }),
    payPaise,
  };
  const number = numberInSeries("PF", financialYear, serial);
  const [made] = await transaction
    .insert(proformas)
    .values({
      orderId: order.id,
      financialYear,
      serial,
      number,
      reference: proformaReference(financialYear, serial),
      payPaise,
      content,
      // No later than the quote is valid.
      dueOn: writtenDay(quote.validUntil),
      issuedAt,
    })
    .returning();
  if (!made) throw new Error("The proforma was not made");
  await services.jobs.add(transaction, "render-proforma", { proformaId: made.id });
  await audit(transaction, null, "issue proforma", `proforma:${number}`, { orderId: order.id });
  return made;
}

/** Closes an order's open proforma, if any, as paid or as void for the reason given. */
export async function closeProforma(
  { now }: Pick<Services, "now">,
  transaction: Transaction,
  orderId: string,
  end: { paid: true } | { voidBecause: string; actorId: string | null },
): Promise<Proforma | null> {
  const [closed] = await transaction
    .update(proformas)
    .set({
      state: "paid" in end ? "paid" : "void",
      closedAt: now(),
      closedBecause: "paid" in end ? "" : end.voidBecause,
    })
    .where(and(eq(proformas.orderId, orderId), eq(proformas.state, "open")))
    .returning();
  if (closed && "voidBecause" in end)
    await audit(transaction, end.actorId, "void proforma", `proforma:${closed.number}`, { reason: end.voidBecause });
  return closed ?? null;
}

export async function findOpenProforma(transaction: Transaction, orderId: string): Promise<Proforma | null> {
  const [open] = await transaction
    .select()
    .from(proformas)
    .where(and(eq(proformas.orderId, orderId), eq(proformas.state, "open")));
  return open ?? null;
}

/**
 * Renders a proforma, keeps it, and mails it if it is still open. Safe to run again after a crash at any point: one
 * file, one mail.
 */
export async function deliverProforma(services: Services, proformaId: string): Promise<void> {
  const [found] = await services.database
    .select({ proforma: proformas, order: orders })
    .from(proformas)
    .innerJoin(orders, eq(orders.id, proformas.orderId))
    .where(eq(proformas.id, proformaId));
  if (!found || found.proforma.file) return;
  const { proforma, order } = found;
  await keepAndMail(services, proformas, proforma.id, order, {
    kind: "proforma",
    pdf: await services.documents.render("proforma", proformaData(proforma)),
    shownAs: proformaShownAs(proforma.number),
    mail: async (transaction) => {
      const openPaise = await findOpenPaise(transaction, proforma);
      return openPaise === null ? null : mailOf(services, proforma, openPaise, orderNumber(order.serial));
    },
  });
}

/**
 * The paise still to be paid on a proforma; null once it is closed. Locks the order: whoever pays or replaces the
 * proforma meanwhile waits, and closes it afterwards.
 */
async function findOpenPaise(transaction: Transaction, { id, orderId }: Proforma): Promise<number | null> {
  const [order] = await transaction
    .select({ openPaise: orders.openPaise })
    .from(orders)
    .where(eq(orders.id, orderId))
    .for("update");
  return order && (await findOpenProforma(transaction, orderId))?.id === id ? order.openPaise : null;
}

const mailOf = ({ publicUrl }: Services, proforma: Proforma, openPaise: number, order: string) => ({
  eventKey: `proforma:${proforma.id}`,
  content: {
    template: "proforma" as const,
    name: proforma.content.billTo.name,
    proformaNumber: proforma.number,
    reference: proforma.reference,
    orderNumber: order,
    payPaise: proforma.payPaise,
    openPaise,
    dueOn: proforma.dueOn,
    bank: proforma.content.bank,
    link: `${publicUrl}/user/payments-due`,
  },
  uselessAfter: later(proforma.issuedAt, { days: mailDays }),
});
