import type { Handlers } from "../call.ts";
import { cancelEInvoice } from "./cancel-e-invoice.ts";

export const eInvoiceHandlers = {
  "admin/e-invoices/cancel": async (services, { scope }, input) => ({
    message: await cancelEInvoice(services, scope, input),
  }),
} satisfies Partial<Handlers>;
