import type { QueryClient } from "@tanstack/react-query";

/** Operations whose answers change when something is done about an order or its money. */
export const shownWithOrders = [
  "order",
  "admin/receivables",
  "admin/receivables/ageing",
  "admin/transfers",
  "admin/certificates",
  "admin/payments-due",
  "admin/getPaymentDetailsByStatus",
  "admin/getPaymentDetailsByEmailforAdmin",
  "admin/getPaymentDetailsByPartnerId",
  "admin/actions",
  "admin/actions/queues",
  "admin/actions/item",
  "admin/reconcile",
] as const;

/** Lists of orders, for all readers. */
const orderLists = [
  "user/get-payment-by-email",
  "partner/get-payment-details",
  "admin/getPaymentDetailsByStatus",
  "admin/getPaymentDetailsByEmailforAdmin",
  "admin/getPaymentDetailsByPartnerId",
] as const;

/** Refetches the lists of orders. */
export const refreshOrderLists = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => orderLists.some((each) => each === name) });

/** Refetches everything that shows orders, or what waits because of them. */
export const refreshOrders = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) =>
      shownWithOrders.some((each) => each === name) ||
      (typeof name === "string" && /^admin\/(getPaymentDetails|actions|reconcile|overview)/.test(name)),
  });
