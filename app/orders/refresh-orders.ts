import type { QueryClient } from "@tanstack/react-query";

/** Whose answers change when something is done about an order or its money. */
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

/** Everything that shows orders, or what waits because of them. */
export const refreshOrders = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) =>
      shownWithOrders.some((each) => each === name) ||
      (typeof name === "string" && /^admin\/(getPaymentDetails|actions|reconcile|overview)/.test(name)),
  });
