import { isDeepStrictEqual } from "node:util";
import { and, eq } from "drizzle-orm";
import { paiseFrom } from "../../contract/money.ts";
import type { Input } from "../../contract/operations.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { orders, transfers } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { owedBesideNothing } from "../ledger/free-credit.ts";
import type { Services } from "../services.ts";
import { lockUtr, refuseFuture } from "./record-transfer.ts";
import { lockTransfer } from "./set-aside.ts";

/**
 * Notes that a customer says it sent a transfer. When the money comes, a person is shown what it is meant for; it is
 * not matched automatically, as a bank reference can be read from somebody else's papers.
 * @throws Failure not_found; conflict for a reference that was named before
 */
export async function announceTransfer(
  services: Services,
  scope: Scope<"organisation">,
  { order_id, utr, amount, sent_on }: Input<"user/transfers/announce">,
): Promise<void> {
  refuseFuture(services, "sent_on", sent_on);
  const { personId } = scope.actor;
  await services.limiter.consume("paymentByAccount", personId);
  await services.database.transaction(async (transaction) => {
    const known = await lockUtr(transaction, utr);
    const [order] = await transaction
      .select()
      .from(orders)
      .where(and(eq(orders.id, order_id), eq(orders.organisationId, organisationOf(scope))))
      .for("update");
    if (!order) throw notFound("This order");
    const said = { amountPaise: paiseFrom(amount), receivedOn: sent_on };
    if (known && known.orderId === order_id) {
      // Until the money comes, the customer's last statement holds; after that, the bank's.
      if (known.state !== "announced" || isDeepStrictEqual({ ...known, ...said }, known)) return;
      await transaction.update(transfers).set(said).where(eq(transfers.id, known.id));
      await audit(transaction, personId, "announce transfer", `order:${order_id}`, { utr, amount });
      return;
    }
    if (known)
      throw new Failure("conflict", "This bank reference is known already. Please check it.", {
        fields: { utr: "This reference is known already" },
      });
    const isAsked = order.state === "awaiting_transfer" || order.state === "invoiced";
    if (!isAsked && order.expectedPaise + owedBesideNothing(order) <= 0)
      throw new Failure("conflict", "Nothing is to be transferred for this order.");
    await transaction.insert(transfers).values({
      utr,
      state: "announced",
      orderId: order_id,
      ...said,
      announcedBy: personId,
      createdAt: services.now(),
    });
    await audit(transaction, personId, "announce transfer", `order:${order_id}`, { utr, amount });
  });
}

/**
 * Takes back what a customer announced, such as a transfer under a mistyped reference. Of money that has come meanwhile
 * only the customer's word is dropped: it reads the same answer, as a bank reference can be somebody else's.
 * @throws Failure not_found; conflict for a transfer that is matched
 */
export async function withdrawTransfer(
  { database }: Services,
  scope: Scope<"organisation">,
  { id }: Input<"user/transfers/withdraw">,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const [announced] = await transaction
      .select({ utr: transfers.utr, orderId: orders.id })
      .from(transfers)
      .innerJoin(orders, eq(orders.id, transfers.orderId))
      .where(and(eq(transfers.id, id), eq(orders.organisationId, organisationOf(scope))));
    if (!announced) throw notFound("This transfer");
    const { utr, orderId } = announced;
    await lockUtr(transaction, utr);
    const { state, ...now } = await lockTransfer(transaction, id);
    // It may pay another's order by now.
    if (now.orderId !== orderId) throw notFound("This transfer");
    if (state !== "announced" && state !== "seen")
      throw new Failure("conflict", `${utr} has come, and is matched with your order.`);
    await (state === "announced"
      ? transaction.delete(transfers).where(eq(transfers.id, id))
      : transaction.update(transfers).set({ orderId: null, announcedBy: null }).where(eq(transfers.id, id)));
    await audit(transaction, scope.actor.personId, "withdraw transfer", `order:${orderId}`, { utr });
  });
}
