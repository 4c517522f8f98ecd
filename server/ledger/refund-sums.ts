import type { OrderState } from "../../contract/orders.ts";
import type { RefundState } from "../../contract/refunds.ts";
import type { refunds } from "../database/schema/index.ts";

type Refund = typeof refunds.$inferSelect;

/** Of refunds whose money is about to go back. */
export const openRefundStates: readonly RefundState[] = ["asked", "approved", "sent"];
export const isOpenRefund = ({ state }: Pick<Refund, "state">): boolean => openRefundStates.includes(state);

/** Whose money may still go back, or has: all but those that failed. */
const isAlive = ({ state }: Pick<Refund, "state">) => state !== "failed";
const underWay: ReadonlySet<RefundState> = new Set(["approved", "sent"]);

/** How much of what came can still be given back. */
export function refundablePaise(camePaise: number | null, known: readonly Refund[]): number {
  return Math.max(0, (camePaise ?? 0) - sumOf(known.filter(isAlive)));
}

/**
 * How much of one payment of the gateway can still be given back: never more than of all of them together, of which money was
 * noted as given back by hand without the payment's name.
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

/** What is left of payments of the gateway beside their refunds. */
export const leftBeside = (all: readonly Captured[], known: readonly Refund[]): number =>
  all.reduce((sum, { id, capturedPaise }) => {
    const ofPayment = known.filter(({ attemptId }) => attemptId === id);
    return sum + refundablePaise(capturedPaise, ofPayment);
  }, 0);

/** A payment with what the gateway took. */
interface Captured {
  id: string;
  capturedPaise: number | null;
}

/** How much has gone back. */
export const backPaiseOf = (known: readonly Refund[]): number => sumOf(known.filter(({ state }) => state === "done"));

/** What one person alone has had given back of an order, or is having: two small ones count as the large one that they are. */
export const alonePaiseOf = (known: readonly Refund[]): number =>
  sumOf(known.filter((refund) => isAlive(refund) && refund.approvedBy === null));

const sumOf = (some: readonly Refund[]) => some.reduce((sum, { amountPaise }) => sum + amountPaise, 0);

/** What an order shows that was paid by money with these refunds; what came on top of its price goes back first. */
export function stateWith(camePaise: number, known: readonly Refund[], excessPaise = 0): OrderState {
  const back = Math.max(0, backPaiseOf(known) - excessPaise);
  const onItsWay = sumOf(known.filter(({ state }) => underWay.has(state)));
  if (onItsWay > 0 && backPaiseOf(known) + onItsWay > excessPaise) return "refund_pending";
  if (back === 0) return "success";
  return back >= camePaise - excessPaise ? "refunded" : "partially_refunded";
}
