import { reachCustomer } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import type { StatementRequest } from "../../contract/receivables.ts";
import type { Services } from "../services.ts";
import { writeStatement } from "./account.ts";
import { findPaymentsDue } from "./payments-due.ts";
import { findAgeing, listReceivables } from "./receivables.ts";

type OverCustomers = { scope: Scope<"customers" | "any"> };

const dueOfCustomer = async (services: Services, { scope }: OverCustomers, { email }: { email: string }) =>
  findPaymentsDue(services, await reachCustomer(services.database, scope, email));

const statementOfCustomer = async (
  services: Services,
  { scope }: OverCustomers,
  { email, ...request }: StatementRequest & { email: string },
) => writeStatement(services, await reachCustomer(services.database, scope, email), request);

export const ledgerHandlers = {
  "user/payments-due": (services, { scope }) => findPaymentsDue(services, scope),
  "user/statement": (services, { scope }, request) => writeStatement(services, scope, request),
  "partner/payments-due": dueOfCustomer,
  "partner/statement": statementOfCustomer,
  "admin/payments-due": dueOfCustomer,
  "admin/statement": statementOfCustomer,
  "admin/receivables": (services, { scope }, query) => listReceivables(services, scope, query),
  "admin/receivables/ageing": (services, { scope }) => findAgeing(services, scope),
} satisfies Partial<Handlers>;
