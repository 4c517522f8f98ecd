import type { Handlers } from "../call.ts";
import { decideLess, previewLess } from "./decide-less.ts";
import { refundAgain } from "./give-back-credit.ts";

export const decreaseHandlers = {
  "admin/contracts/preview-less": (services, { scope }, asked) => previewLess(services, scope, asked),
  "admin/contracts/decide-less": async (services, { scope }, asked) => ({
    message: await decideLess(services, scope, asked),
  }),
  "admin/contracts/refund-again": async (services, { scope }, { change_id }) => ({
    message: await refundAgain(services, scope, change_id),
  }),
} satisfies Partial<Handlers>;
