import type { Handlers } from "../call.ts";
import { readOrder, readOrderAsStaff } from "./read-order.ts";

export const orderHistoryHandlers = {
  "user/order": (services, { scope }, { id }) => readOrder(services, scope, id, "buyer"),
  "partner/order": (services, { scope }, { id }) => readOrder(services, scope, id, "partner"),
  "admin/order": (services, { scope }, { id }) => readOrderAsStaff(services, scope, id),
} satisfies Partial<Handlers>;
