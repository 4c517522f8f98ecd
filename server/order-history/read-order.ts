import { mayCall } from "../../contract/access.ts";
import { rupees } from "../../contract/money.ts";
import type { OrderDetails, StaffOrderDetails } from "../../contract/order-details.ts";
import type { RefundablePayment, StaffRefund } from "../../contract/refunds.ts";
import type { Actor, Scope } from "../access/scope.ts";
import { notFound } from "../failures/failure.ts";
import { findOrderWithin } from "../orders/queries.ts";
import { refundablePaise } from "../refunds/sums.ts";
import { presentEInvoice } from "../e-invoices/present.ts";
import type { Services } from "../services.ts";
import { type OrderFacts, readFacts, type RefundFacts } from "./read-facts.ts";
import { adviceOn, isMoving, isToldToBuyer, timelineOf } from "./timeline.ts";

/** An order with what happened to it, as whoever bought it and their partner read it. @throws Failure not_found */
export async function readOrder(
  services: Services,
  scope: Scope<"organisation" | "customers">,
  id: string,
): Promise<OrderDetails> {
  const { order, facts } = await findFacts(services, scope, id);
  const now = services.now();
  return {
    order,
    steps: timelineOf(facts, "buyer", now),
    is_moving: isMoving(facts, now),
    advice: adviceOn(facts),
    refunds: facts.refunds.filter(({ refund }) => isToldToBuyer(refund)).map(presentRefund),
  };
}

/** The same as our own people read it, with what can be given back. @throws Failure not_found */
export async function readOrderAsStaff(
  services: Services,
  scope: Scope<"any">,
  id: string,
): Promise<StaffOrderDetails> {
  const { order, facts } = await findFacts(services, scope, id);
  const now = services.now();
  return {
    order,
    steps: timelineOf(facts, "staff", now),
    is_moving: isMoving(facts, now),
    advice: null,
    refunds: facts.refunds.map((refund) => presentForStaff(refund, scope.actor)),
    payments: paymentsOf(facts),
    e_invoices: facts.eInvoices.map((row) => presentEInvoice(row, now)),
    second_person_above: rupees(services.env.refundApprovalPaise),
  };
}

async function findFacts(services: Services, scope: Scope<"organisation" | "customers" | "any">, id: string) {
  const order = await findOrderWithin(services, scope, id);
  const facts = order && (await readFacts(services, id));
  if (!order || !facts) throw notFound("This order");
  return { order, facts };
}

const wireOf = (instant: Date | null) => instant && instant.toISOString();

const presentRefund = ({ refund }: RefundFacts) => ({
  id: refund.id,
  amount: rupees(refund.amountPaise),
  state: refund.state,
  asked_at: refund.askedAt.toISOString(),
  approved_at: wireOf(refund.approvedAt),
  sent_at: wireOf(refund.takenAt),
  ended_at: wireOf(refund.endedAt),
});

function presentForStaff(row: RefundFacts, reader: Actor): StaffRefund {
  const { refund, paymentId, askedBy, approvedBy } = row;
  return {
    ...presentRefund(row),
    payment_id: paymentId ?? "",
    reason: refund.reason,
    asked_by: askedBy ?? "",
    approved_by: approvedBy,
    failure: refund.failure,
    problem: refund.problem,
    may_approve:
      refund.state === "asked" && refund.askedBy !== reader.personId && mayCall("admin/refunds/approve", reader.role),
  };
}

function paymentsOf({ tries, refunds }: OrderFacts): RefundablePayment[] {
  return tries.flatMap(({ id, gatewayPaymentId, capturedPaise, state }) => {
    if (!gatewayPaymentId || capturedPaise === null) return [];
    const ofPayment = refunds.map(({ refund }) => refund).filter(({ attemptId }) => attemptId === id);
    return [
      {
        id,
        payment_id: gatewayPaymentId,
        captured: rupees(capturedPaise),
        refundable: rupees(refundablePaise(capturedPaise, ofPayment)),
        pays_the_order: state === "success",
      },
    ];
  });
}
