import type { Handlers } from "../call.ts";
import { askRefund } from "./ask-refund.ts";
import { notePaidOut } from "./note-paid-out.ts";
import { approveRefund, declineRefund } from "./decide-refund.ts";
import { settleByHand } from "./settle-by-hand.ts";

export const refundHandlers = {
  "admin/refunds/ask": async (services, { scope }, asked) => ({ message: await askRefund(services, scope, asked) }),
  "admin/refunds/approve": async (services, { scope }, { id }) => ({
    message: await approveRefund(services, scope, id),
  }),
  "admin/refunds/paid-out": async (services, { scope }, paidOut) => ({
    message: await notePaidOut(services, scope, paidOut),
  }),
  "admin/refunds/decline": async (services, { scope }, declined) => ({
    message: await declineRefund(services, scope, declined),
  }),
  "admin/receivables/settle": async (services, { scope }, settled) => ({
    message: await settleByHand(services, scope, settled),
  }),
} satisfies Partial<Handlers>;
