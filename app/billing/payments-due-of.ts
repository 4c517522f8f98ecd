import { queryOptions } from "@tanstack/react-query";
import type { PaymentsDue, Statement, StatementRequest } from "../../contract/receivables.ts";
import { call } from "../api.ts";

/** Whose payments, and who reads them: the organisation itself, or a customer's partner or administrator. */
export type DueOf = { reader: "user" } | { reader: "partner" | "admin"; email: string };

export const dueQuery = (of: DueOf) =>
  queryOptions({
    queryKey: of.reader === "user" ? ["user/payments-due"] : [`${of.reader}/payments-due`, { email: of.email }],
    queryFn: ({ signal }) => fetchDue(of, signal),
  });

function fetchDue(of: DueOf, signal: AbortSignal): Promise<PaymentsDue> {
  if (of.reader === "user") return call("user/payments-due", {}, signal);
  return call(`${of.reader}/payments-due`, { email: of.email }, signal);
}

/** @throws ApiError */
export function fetchStatement(of: DueOf, request: StatementRequest): Promise<Statement> {
  if (of.reader === "user") return call("user/statement", request);
  return call(`${of.reader}/statement`, { ...request, email: of.email });
}
