import type { OrdersByEmail } from "../../contract/orders.ts";
import { reachCustomer, reachCustomersOfPartner } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import { listOrders, listOrdersInState, listOrdersOfPartner } from "./queries.ts";
import type { Services } from "../services.ts";
import { startPayment } from "./start-payment.ts";

const paymentsOfCustomer = async (
  services: Services,
  { scope }: { scope: Scope<"customers" | "any"> },
  { email, ...query }: OrdersByEmail,
) => listOrders(services, await reachCustomer(services.database, scope, email), query);

export const orderHandlers = {
  "user/orders": (services, { scope }, request) => startPayment(services, scope, request),
  "user/get-payment-by-email": async (services, { scope }, query) => {
    const { payments, ...page } = await listOrders(services, scope, query);
    return { paymentDetails: payments, ...page };
  },
  "partner/get-payment-details": paymentsOfCustomer,
  "admin/getPaymentDetailsByEmailforAdmin": paymentsOfCustomer,
  "admin/getPaymentDetailsByPartnerId": async (services, { scope }, { email, ...query }) =>
    listOrdersOfPartner(services, await reachCustomersOfPartner(services.database, scope, email), query),
  "admin/getPaymentDetailsByStatus": (services, { scope }, { status, ...query }) =>
    listOrdersInState(services, scope, status, query),
} satisfies Partial<Handlers>;
