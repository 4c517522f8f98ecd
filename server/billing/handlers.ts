import { reachCustomer } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import type { Services } from "../services.ts";
import { findBilling, saveBilling } from "./details.ts";
import { exportRegister } from "./register.ts";

const billingOfCustomer = async (
  services: Services,
  { scope }: { scope: Scope<"customers" | "any"> },
  { email }: { email: string },
) => findBilling(services.database, await reachCustomer(services.database, scope, email));

export const billingHandlers = {
  "user/billing": ({ database }, { scope }) => findBilling(database, scope),
  "user/billing/save": (services, { scope }, details) => saveBilling(services, scope, details),
  "partner/billing": billingOfCustomer,
  "partner/billing/save": async (services, { scope }, { email, ...details }) =>
    saveBilling(services, await reachCustomer(services.database, scope, email), details),
  "admin/billing": billingOfCustomer,
  "admin/billing/save": async (services, { scope }, { email, ...details }) =>
    saveBilling(services, await reachCustomer(services.database, scope, email), details),
  "admin/register": (services, { scope }, period) => exportRegister(services, scope, period),
} satisfies Partial<Handlers>;
