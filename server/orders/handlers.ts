import { type Handlers, signedIn } from "../call.ts";
import { listOrders } from "./queries.ts";
import { startPayment } from "./start-payment.ts";

export const orderHandlers = {
  "user/orders": (services, call, request) => startPayment(services, signedIn(call), request),
  "user/get-payment-by-email": (services, call, query) => listOrders(services, signedIn(call), query),
} satisfies Partial<Handlers>;
