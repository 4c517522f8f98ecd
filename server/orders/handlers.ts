import type { OrdersByEmail } from "../../contract/orders.ts";
import { type Call, type Handlers, signedIn } from "../call.ts";
import { findCustomerId, findPartnerId } from "../access/reach.ts";
import { listOrders, listOrdersInState, listOrdersOfCustomer, listOrdersOfPartner } from "./queries.ts";
import type { Services } from "../services.ts";
import { startPayment } from "./start-payment.ts";

const paymentsOfCustomer = async (services: Services, call: Call, { email, ...query }: OrdersByEmail) =>
  listOrdersOfCustomer(services, await findCustomerId(services.database, signedIn(call), email), query);

export const orderHandlers = {
  "user/orders": (services, call, request) => startPayment(services, signedIn(call), request),
  "user/get-payment-by-email": (services, call, query) => listOrders(services, signedIn(call), query),
  "partner/get-payment-details": paymentsOfCustomer,
  "admin/getPaymentDetailsByEmailforAdmin": paymentsOfCustomer,
  "admin/getPaymentDetailsByPartnerId": async (services, _call, { email, ...query }) =>
    listOrdersOfPartner(services, await findPartnerId(services, email), query),
  "admin/getPaymentDetailsByStatus": (services, _call, { status, ...query }) =>
    listOrdersInState(services, status, query),
} satisfies Partial<Handlers>;
