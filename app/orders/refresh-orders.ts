import type { QueryClient } from "@tanstack/react-query";

/** Everything that shows orders, or what waits because of them. */
export const refreshOrders = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) =>
      name === "order" ||
      (typeof name === "string" && /^admin\/(getPaymentDetails|actions|reconcile|overview)/.test(name)),
  });
