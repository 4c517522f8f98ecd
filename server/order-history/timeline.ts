import type { StepName, TimelineStep } from "../../contract/order-details.ts";
import type { LedgerKind } from "../../contract/receivables.ts";
import { formatRupees } from "../../contract/money.ts";
import { reasonForOthers } from "../orders/end-reason.ts";
import { isUnderWay } from "../orders/show-attempts.ts";
import { paperDay } from "../outside/documents/paper.ts";
import type { OrderFacts, RefundFacts, TryFacts } from "./read-facts.ts";

/**
 * Customers and partners read what concerns them, and customers also what they can do; staff also read why, by whom,
 * and the gateway's own words.
 */
export type Reader = "buyer" | "partner" | "staff";

interface Step {
  name: StepName;
  at: Date | null;
  isDone?: boolean;
  by?: string | null;
  says?: string | null;
  gatewayWords?: string | null;
}

/** What has happened to an order, oldest first, followed by what is still to come. */
export function timelineOf(facts: OrderFacts, reader: Reader, now: Date): TimelineStep[] {
  const steps = [
    ...facts.tries.flatMap((each) => stepsOfTry(each, reader, now)),
    ...facts.proformas.flatMap(stepsOfProforma),
    ...facts.transfers.map(stepOfTransfer),
    ...facts.entries.flatMap((each) => stepsOfEntry(each, reader)),
    ...stepsOfInvoice(facts, reader),
    ...facts.refunds.flatMap((each) => stepsOfRefund(each, reader)),
  ];
  return inOrder(steps).map(({ name, at, isDone = true, by = null, says = null, gatewayWords = null }) => ({
    name,
    at: at && at.toISOString(),
    is_done: isDone,
    by,
    says,
    gateway_words: reader === "staff" ? gatewayWords || null : null,
  }));
}

/** Sorted by time. A step without a time stays behind the one before it; what is still to come goes last. */
function inOrder(steps: readonly Step[]): Step[] {
  let last = 0;
  const timed = steps.map((step) => {
    last = step.at?.getTime() ?? last;
    return { step, time: step.isDone === false ? Infinity : last };
  });
  return timed.toSorted((one, other) => (one.time === other.time ? 0 : one.time - other.time)).map(({ step }) => step);
}

const withoutMoney: ReadonlySet<TryFacts["state"]> = new Set(["initiated", "expired", "failure"]);

function stepsOfTry(attempt: TryFacts, reader: Reader, now: Date): Step[] {
  const { state, createdAt, atGatewayAt, returnedAt, names } = attempt;
  const begun: Step[] = [
    { name: "started", at: createdAt, by: names.startedBy },
    ...(atGatewayAt ? [{ name: "at_gateway", at: atGatewayAt } as const] : []),
    ...(returnedAt ? [{ name: "returned", at: returnedAt } as const] : []),
  ];
  if (attempt.supersededAt && withoutMoney.has(state) && !isUnderWay(attempt))
    return [...begun, { name: "taken_over", at: attempt.supersededAt, says: whyTakenOver(attempt) }];
  if (state === "initiated" && !isUnderWay(attempt))
    return attempt.expiresAt > now && !atGatewayAt
      ? [...begun, { name: "at_gateway", at: null, isDone: false }]
      : begun;
  return [...begun, endOf(attempt, reader)];
}

const whyTakenOver = ({ startedBy, supersededBy, names }: TryFacts) =>
  startedBy === supersededBy
    ? "Started again with other details."
    : `Taken over by ${names.supersededBy ?? "somebody else"}.`;

/** How an attempt ended, or what it waits for. */
function endOf(attempt: TryFacts, reader: Reader): Step {
  const { state, endedAt: at, reviewReason, gatewayWords } = attempt;
  const reason = reader === "buyer" ? attempt.reason : reasonForOthers(attempt.reason);
  if (state === "success") return { name: "confirmed", at };
  if (state === "refunded") return { name: "given_back", at, says: reason };
  if (state === "review")
    return { name: "review", at, says: reader === "staff" && reviewReason ? reviewReason : reason };
  if (isUnderWay(attempt))
    return { name: "pending", at: null, isDone: false, says: "The bank has not confirmed it yet." };
  return { name: state === "expired" ? "expired" : "failed", at, says: reason, gatewayWords };
}

const invoicedBefore = ({ issuedAt, number, content }: NonNullable<OrderFacts["invoice"]>): Step => ({
  name: "invoiced",
  at: issuedAt,
  says: content.dueOn ? `${number}, to be paid by ${paperDay(content.dueOn)}` : number,
});

function stepsOfProforma({
  number,
  reference,
  issuedAt,
  closedAt,
  closedBecause,
  state,
}: OrderFacts["proformas"][number]) {
  const made: Step = { name: "asked_to_transfer", at: issuedAt, says: `${number}, reference ${reference}` };
  return state === "void"
    ? [made, { name: "void", at: closedAt, says: `${number}: ${closedBecause}` } as const]
    : [made];
}

const stepOfTransfer = ({ state, utr, amountPaise, createdAt, matchedAt }: OrderFacts["transfers"][number]): Step => ({
  name: state === "announced" || state === "seen" ? "announced" : "transferred",
  at: matchedAt ?? createdAt,
  says: `${formatRupees(amountPaise)}, ${utr}`,
});

type Entry = OrderFacts["entries"][number]["entry"];

/** Steps that only the ledger records; invoices, payments and refunds have their own. */
const stepNames: Partial<Record<LedgerKind, (entry: Entry) => StepName | null>> = {
  "credit note": () => "credited",
  refund: ({ writtenBy }) => (writtenBy ? "given_back_by_hand" : null),
  "tax deducted": () => "tax_deducted",
  "tax not certified": ({ writtenBy }) => (writtenBy ? "tax_owed_again" : "tax_claimed_less"),
  "tax certified": () => "tax_certified",
  "write-off": ({ amountPaise }) => (amountPaise < 0 ? "written_off" : "owed_after_all"),
};

/** Reasons written by staff are shown to staff only. */
function stepsOfEntry({ entry, writtenBy, agreedBy }: OrderFacts["entries"][number], reader: Reader): Step[] {
  const { kind, amountPaise, about, reason, at } = entry;
  const name = stepNames[kind]?.(entry);
  if (!name) return [];
  const isNamed = kind === "write-off" || kind === "refund";
  const sum = formatRupees(Math.abs(amountPaise));
  const says = isNamed ? sum : `${sum}, ${about}`;
  const isStaffs = reader === "staff";
  const why = `${says}: ${reason}${agreedBy ? ` (${agreedBy} agreed)` : ""}`;
  return [{ name, at, by: isStaffs ? writtenBy : null, says: isStaffs && reason ? why : says }];
}

const toCome = (name: StepName): Step => ({ name, at: null, isDone: false });

function stepsOfInvoice(facts: OrderFacts, reader: Reader): Step[] {
  const { order, tries, invoice } = facts;
  if (order.paymentId === null && invoice) {
    const issued = [invoicedBefore(invoice), ...stepsAfterIssue(facts, reader)];
    return order.state === "closed"
      ? [...issued.filter(({ isDone }) => isDone !== false), { name: "closed", at: order.updatedAt }]
      : [...issued, toCome("confirmed")];
  }
  if (order.state === "awaiting_transfer") return [toCome("transferred"), toCome("invoiced")];
  if (order.paymentId === null) return tries.some(isUnderWay) ? [toCome("confirmed"), toCome("invoiced")] : [];
  const paid: Step[] = tries.some(({ state }) => state === "success") ? [] : [{ name: "confirmed", at: order.paidAt }];
  return [
    ...paid,
    invoice ? { name: "invoiced", at: invoice.issuedAt, says: invoice.number } : toCome("invoiced"),
    ...stepsAfterIssue(facts, reader),
  ];
}

/** What became of an invoice at the e-invoice portal and by mail. */
function stepsAfterIssue({ invoice, mailed, receipt, eInvoices }: OrderFacts, reader: Reader): Step[] {
  // Mails are deleted after a year; an invoice that has a file was mailed when the file was made.
  const mailedStep: Step[] =
    mailed || !invoice?.file ? stepsOfMail("mailed", mailed) : [{ name: "mailed", at: invoice.issuedAt }];
  return [
    ...eInvoices
      .filter(({ invoiceId }) => invoiceId !== null)
      .flatMap((each) => stepsOfEInvoice(each, invoice?.issuedAt ?? null, reader)),
    ...mailedStep,
    ...(receipt ? stepsOfMail("receipt_mailed", receipt) : []),
  ];
}

/** A mail that was given up has no step, as it will not be sent any more. */
function stepsOfMail(name: StepName, mail: OrderFacts["mailed"]): Step[] {
  if (mail?.sentAt) return [{ name, at: mail.sentAt }];
  return !mail || mail.waits ? [toCome(name)] : [];
}

/**
 * Customers are not told that the portal is down or refuses; only staff are. The portal's times are whole seconds of
 * another clock, so a registration is never shown before its invoice was issued.
 */
function stepsOfEInvoice(row: OrderFacts["eInvoices"][number], issuedAt: Date | null, reader: Reader): Step[] {
  const { irn, ackAt, state, problem, cancelledAt, cancelRemark } = row;
  if (!irn) return [{ name: "registered", at: null, isDone: false, says: reader === "staff" ? problem : null }];
  const registered: Step = { name: "registered", at: laterOf(ackAt, issuedAt), says: `IRN ${irn}` };
  return state === "cancelled"
    ? [
        registered,
        {
          name: "invoice_cancelled",
          at: laterOf(cancelledAt, registered.at),
          says: reader === "staff" ? cancelRemark : null,
        },
      ]
    : [registered];
}

/** The later of `at` and `after`. */
const laterOf = (at: Date | null, after: Date | null) => (at && after && after > at ? after : at);

function stepsOfRefund({ refund, askedBy, approvedBy, paidOutBy }: RefundFacts, reader: Reader): Step[] {
  if (reader !== "staff" && !isToldToBuyer(refund)) return [];
  const { state, reason, askedAt, takenAt, endedAt, failure, problem } = refund;
  const amount = formatRupees(refund.amountPaise);
  const back = refund.movedFrom
    ? `${amount}, which belonged to another order`
    : refund.bankReference
      ? `${amount}, by transfer ${refund.bankReference}`
      : amount;
  const ofStaff: Step[] = [
    ...(refund.askedBy === null
      ? []
      : [{ name: "refund_asked", at: askedAt, by: askedBy, says: `${amount}: ${reason}` } as const]),
    ...(state === "asked"
      ? [
          {
            name: "refund_approved",
            at: null,
            isDone: false,
            says: "Another main administrator has to agree.",
          } as const,
        ]
      : []),
    ...(approvedBy !== null
      ? [{ name: "refund_approved", at: refund.approvedAt, by: approvedBy, says: amount } as const]
      : []),
  ];
  const sent: Step[] =
    refund.attemptId === null || state === "asked" || (state === "failed" && !takenAt)
      ? []
      : [{ name: "refund_sent", at: takenAt, isDone: takenAt !== null, says: amount }];
  const toCome: Step = { name: "refund_done", at: null, isDone: false, says: reader === "staff" ? problem : null };
  const end: Record<typeof state, Step[]> = {
    asked: [],
    approved: [toCome],
    sent: [toCome],
    done: [{ name: "refund_done", at: endedAt, by: paidOutBy && reader === "staff" ? paidOutBy : null, says: back }],
    failed: [{ name: "refund_failed", at: endedAt, says: reader === "staff" ? failure : failedFor[reader] }],
  };
  return [...(reader === "staff" ? ofStaff : []), ...sent, ...end[state]];
}

const failedFor = {
  buyer: "The money could not be given back yet. Our team looks after it and will write to you.",
  partner: "The money could not be given back yet. Our team looks after it and will write to the customer.",
};

/** A buyer should not count on a refund that waits for consent or was never sent. */
export const isToldToBuyer = ({ state, takenAt }: RefundFacts["refund"]): boolean =>
  state !== "asked" && (state !== "failed" || takenAt !== null);

/** Whether something about the order is still going on by itself. */
export function isMoving(
  { order, tries, invoice, mailed, receipt, refunds, eInvoices }: OrderFacts,
  now: Date,
): boolean {
  if (eInvoices.some(({ cancelAskedAt, state }) => cancelAskedAt && state === "registered")) return true;
  if (tries.some(isUnderWay)) return true;
  if (tries.some(({ state, expiresAt }) => state === "initiated" && expiresAt > now)) return true;
  const isIssued = order.paymentId !== null || (invoice !== undefined && order.state !== "closed");
  if (isIssued && (!invoice?.file || mailed?.waits || receipt?.waits)) return true;
  return refunds.some(({ refund }) => refund.state === "sent" || (refund.state === "approved" && refund.attemptId));
}
