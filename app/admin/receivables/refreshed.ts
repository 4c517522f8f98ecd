/** Whose answers change with what is done here. */
export const refreshed = [
  "admin/receivables",
  "admin/receivables/ageing",
  "admin/transfers",
  "admin/certificates",
  "admin/payments-due",
  "admin/order",
  "admin/getPaymentDetailsByStatus",
] as const;
