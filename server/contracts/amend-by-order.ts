import { eq } from "drizzle-orm";
import { orderNumber } from "../../contract/numbers.ts";
import { contractYear, type Span } from "../../contract/proration.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { contractChanges, contractLines, contracts, invoices, orders, quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { rowsOf } from "./line-changes.ts";

type Order = typeof orders.$inferSelect;
type Quote = typeof quotes.$inferSelect;
type Contract = typeof contracts.$inferSelect;

/**
 * Creates the contract that an order begins, or adds what it bought to the contract that its quote names. Runs after
 * the invoice in the same transaction; the notice of the payment tells people. The order's row is locked; running it
 * again changes nothing.
 */
export async function amendByOrder(services: Services, transaction: Transaction, orderId: string): Promise<void> {
  const [found] = await transaction
    .select({ order: orders, quote: quotes, invoice: invoices })
    .from(orders)
    .innerJoin(quotes, eq(quotes.id, orders.quoteId))
    .innerJoin(invoices, eq(invoices.orderId, orders.id))
    .where(eq(orders.id, orderId));
  if (!found) throw new Error(`Order ${orderId} has no invoice`);
  const { order, quote, invoice } = found;
  const [known] = await transaction.select().from(contractChanges).where(eq(contractChanges.orderId, order.id));
  if (known) return;
  const { term } = quote;
  const { period } = invoice.content;
  if (!period) throw new Error(`The invoice of order ${orderId} has no first day`);
  if (term === null || term.kind === "renew") await beginContract(services, transaction, order, quote, period.from);
  else await addToContract(services, transaction, order, { ...quote, term });
}

/** Its year is the invoice's service period. */
async function beginContract(
  services: Services,
  transaction: Transaction,
  order: Order,
  quote: Quote,
  startsOn: string,
): Promise<void> {
  const span = contractYear(startsOn);
  const [contract] = await transaction
    .insert(contracts)
    .values({
      organisationId: order.organisationId,
      orderId: order.id,
      renews: quote.contractId,
      startsOn: span.from,
      endsOn: span.to,
      createdAt: services.now(),
    })
    .returning();
  if (!contract) throw new Error("The contract was not made");
  await addLines(services, transaction, contract, order, quote, { kind: "start", span });
  await audit(transaction, null, "begin contract", `contract:${contract.id}`, {
    order: orderNumber(order.serial),
    from: span.from,
    to: span.to,
  });
}

async function addToContract(
  services: Services,
  transaction: Transaction,
  order: Order,
  quote: Quote & { term: NonNullable<Quote["term"]> },
): Promise<void> {
  const { kind, ...span } = quote.term;
  const [contract] = await transaction
    .select()
    .from(contracts)
    .where(eq(contracts.id, quote.contractId ?? ""))
    .for("update");
  if (!contract) throw new Error(`Quote ${quote.id} has no contract`);
  await addLines(services, transaction, contract, order, quote, { kind: kind === "true up" ? kind : "add", span });
  await audit(transaction, null, "add to contract", `contract:${contract.id}`, {
    order: orderNumber(order.serial),
    from: span.from,
  });
}

async function addLines(
  services: Services,
  transaction: Transaction,
  { id: contractId }: Contract,
  order: Order,
  quote: Quote,
  { kind, span }: { kind: "start" | "add" | "true up"; span: Pick<Span, "from" | "to"> },
): Promise<void> {
  const now = services.now();
  const [change] = await transaction
    .insert(contractChanges)
    .values({ contractId, kind, effectiveOn: span.from, orderId: order.id, createdAt: now, madeBy: order.buyerId })
    .returning({ id: contractChanges.id });
  const rows = rowsOf(quote, span).map((row) => ({ ...row, contractId, changeId: change?.id ?? "" }));
  if (rows.length > 0) await transaction.insert(contractLines).values(rows);
}
