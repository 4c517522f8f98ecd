import { mayCall } from "../../contract/access.ts";
import { rupees } from "../../contract/money.ts";
import type { OrderDetails, StaffOrderDetails } from "../../contract/order-details.ts";
import type { RefundablePayment, StaffRefund } from "../../contract/refunds.ts";
import type { WriteOffRequest } from "../../contract/write-offs.ts";
import type { Actor, Scope } from "../access/scope.ts";
import { notFound } from "../failures/failure.ts";
import { findOrderWithin } from "../orders/queries.ts";
import { leftOfGateway } from "../ledger/refund-sums.ts";
import { presentEInvoice } from "../e-invoices/present.ts";
import type { Services } from "../services.ts";
import { adviceOn } from "./advice.ts";
import { type OrderFacts, readFacts, readWriteOff, type RefundFacts } from "./read-facts.ts";
import { isMoving, isToldToBuyer, timelineOf } from "./timeline.ts";

/** An order and its history, as its buyer and their partner see it. @throws Failure not_found */
export async function readOrder(
  services: Services,
  scope: Scope<"organisation" | "customers">,
  id: string,
  reader: "buyer" | "partner",
): Promise<OrderDetails> {
  const { order, facts } = await findFacts(services, scope, id);
  const now = services.now();
  return {
    order,
    steps: timelineOf(facts, reader, now),
    is_moving: isMoving(facts, now),
    advice: adviceOn(facts, reader),
    refunds: facts.refunds.filter(({ refund }) => isToldToBuyer(refund)).map(presentRefund),
  };
}

/** The same for our staff, with what can be refunded. @throws Failure not_found */
export async function readOrderAsStaff(
  services: Services,
  scope: Scope<"any">,
  id: string,
): Promise<StaffOrderDetails> {
  const { order, facts } = await findFacts(services, scope, id);
  const writeOff = await readWriteOff(services, id);
  const now = services.now();
  return {
    order,
    steps: timelineOf(facts, "staff", now),
    is_moving: isMoving(facts, now),
    advice: null,
    refunds: facts.refunds.map((refund) => presentForStaff(refund, scope.actor)),
    payments: paymentsOf(facts),
    e_invoices: facts.eInvoices.map((row) => presentEInvoice(row, now)),
    write_off: writeOff && presentWriteOff(writeOff, scope.actor),
    second_person_above: rupees(services.env.refundApprovalPaise),
  };
}

async function findFacts(services: Services, scope: Scope<"organisation" | "customers" | "any">, id: string) {
  const order = await findOrderWithin(services, scope, id);
  const facts = order && (await readFacts(services, id));
  if (!order || !facts) throw notFound("This order");
  return { order, facts };
}

const presentRefund = ({ refund }: RefundFacts) => ({
  id: refund.id,
  amount: rupees(refund.amountPaise),
  state: refund.state,
  asked_at: refund.askedAt.toISOString(),
  approved_at: refund.approvedAt?.toISOString() ?? null,
  sent_at: refund.takenAt?.toISOString() ?? null,
  ended_at: refund.endedAt?.toISOString() ?? null,
  bank_reference: refund.movedFrom ? null : refund.bankReference,
});

function presentForStaff(row: RefundFacts, reader: Actor): StaffRefund {
  const { refund, paymentId, askedBy, approvedBy, paidOutBy } = row;
  return {
    ...presentRefund(row),
    by: refund.attemptId === null ? "transfer" : "gateway",
    payment_id: paymentId ?? "",
    paid_on: refund.paidOn,
    paid_out_by: paidOutBy,
    reason: refund.reason,
    asked_by: askedBy ?? "",
    approved_by: approvedBy,
    failure: refund.failure,
    problem: refund.problem,
    may_approve:
      refund.state === "asked" && refund.askedBy !== reader.personId && mayCall("admin/refunds/approve", reader.role),
  };
}

const presentWriteOff = (
  {
    request: { id, amountPaise, reason, askedBy },
    askedBy: name,
  }: NonNullable<Awaited<ReturnType<typeof readWriteOff>>>,
  reader: Actor,
): WriteOffRequest => ({
  id,
  amount: rupees(amountPaise),
  reason,
  asked_by: name ?? "",
  may_agree: askedBy !== reader.personId && mayCall("admin/write-offs/agree", reader.role),
});

const paymentsOf = (facts: OrderFacts): RefundablePayment[] => [...byGateway(facts), ...byTransfer(facts)];

function byGateway({ tries, refunds, byHandPaise }: OrderFacts): RefundablePayment[] {
  const known = refunds.map(({ refund }) => refund);
  return tries.flatMap(({ id, gatewayPaymentId, capturedPaise, state }) => {
    if (!gatewayPaymentId || capturedPaise === null) return [];
    const refundable = rupees(leftOfGateway({ id, capturedPaise }, tries, known, byHandPaise));
    return [
      {
        id,
        by: "gateway",
        payment_id: gatewayPaymentId,
        captured: rupees(capturedPaise),
        refundable,
        on_top: state === "success" ? rupees(0) : refundable,
        pays_the_order: state === "success",
      },
    ];
  });
}

/** All transfers count as one sum, which goes back by a transfer of ours. */
function byTransfer({ order, transfers, byTransfer: { camePaise, excessPaise, leftPaise }, onTopPaise }: OrderFacts) {
  if (camePaise === 0) return [];
  const came = transfers.filter(({ state }) => state === "matched" || state === "partly_matched");
  return [
    {
      id: order.id,
      by: "transfer" as const,
      payment_id: came.map(({ utr }) => utr).join(", "),
      captured: rupees(camePaise),
      refundable: rupees(leftPaise),
      on_top: rupees(onTopPaise),
      pays_the_order: camePaise > excessPaise,
    },
  ];
}
