import type { OrderState } from "../../contract/orders.ts";
import type { RefundState } from "../../contract/refunds.ts";
import type { refunds } from "../database/schema/index.ts";

type Refund = typeof refunds.$inferSelect;

/** States of refunds whose money is about to go back. */
export const openRefundStates: readonly RefundState[] = ["asked", "approved", "sent"];
export const isOpenRefund = ({ state }: Pick<Refund, "state">): boolean => openRefundStates.includes(state);

/** The money has gone back or still may: every refund that has not failed. */
const isAlive = ({ state }: Pick<Refund, "state">) => state !== "failed";
const underWay: ReadonlySet<RefundState> = new Set(["approved", "sent"]);

/** How much of the money that came can still be given back. */
export function refundablePaise(camePaise: number | null, known: readonly Refund[]): number {
  return Math.max(0, (camePaise ?? 0) - sumOf(known.filter(isAlive)));
}

/**
 * How much of one gateway payment can still be given back. At most what is left of all the order's payments together,
 * because money noted as given back by hand names no payment.
 */
export function leftOfGateway(
  { id, capturedPaise }: Captured,
  all: readonly Captured[],
  known: readonly Refund[],
  byHandPaise: number,
): number {
  const leftPaise = leftBeside([{ id, capturedPaise }], known);
  return Math.max(0, Math.min(leftPaise, leftBeside(all, known) - byHandPaise));
}

/** What is left of gateway payments after their refunds. */
export const leftBeside = (all: readonly Captured[], known: readonly Refund[]): number =>
  all.reduce((sum, { id, capturedPaise }) => {
    const ofPayment = known.filter(({ attemptId }) => attemptId === id);
    return sum + refundablePaise(capturedPaise, ofPayment);
  }, 0);

interface Captured {
  id: string;
  capturedPaise: number | null;
}

const backPaiseOf = (known: readonly Refund[]): number => sumOf(known.filter(({ state }) => state === "done"));

/**
 * What was refunded, or is being refunded, on one person's word alone: two small refunds count as the large one that
 * they add up to.
 */
export const alonePaiseOf = (known: readonly Refund[]): number =>
  sumOf(known.filter((refund) => isAlive(refund) && refund.approvedBy === null));

const sumOf = (some: readonly Refund[]) => some.reduce((sum, { amountPaise }) => sum + amountPaise, 0);

/** The state of a paid order with these refunds; the excess over its price counts as refunded first. */
export function stateWith(camePaise: number, known: readonly Refund[], excessPaise = 0): OrderState {
  const back = Math.max(0, backPaiseOf(known) - excessPaise);
  const onItsWay = sumOf(known.filter(({ state }) => underWay.has(state)));
  if (onItsWay > 0 && backPaiseOf(known) + onItsWay > excessPaise) return "refund_pending";
  if (back === 0) return "success";
  return back >= camePaise - excessPaise ? "refunded" : "partially_refunded";
}
