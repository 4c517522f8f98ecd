import type { Handlers } from "../call.ts";
import { reachCustomer } from "../access/reach.ts";
import type { Scope } from "../access/scope.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { readCoverage, readCoverageDays } from "./coverage-of.ts";
import { decideDevices } from "./decide-devices.ts";
import { listAllCoverage, listCoverageOfPartner } from "./list-customers.ts";
import { listDevices } from "./list-devices.ts";
import { listRules, removeRule, saveLimit, saveRule } from "./rules.ts";

/** @throws Failure not_found for an e-mail of no customer in the scope */
async function customerOf(services: Services, scope: Scope<"customers" | "any">, email: string) {
  const customer = await reachCustomer(services.database, scope, email);
  if (!customer) throw notFound("This customer");
  return customer;
}

export const coverageHandlers = {
  "user/coverage": (services, { scope }) => readCoverage(services, scope),
  "user/coverage/days": async (services, { scope }) => ({ days: await readCoverageDays(services, scope) }),
  "user/coverage/devices": (services, { scope }, query) => listDevices(services, scope, query),
  "partner/coverage/customers": (services, { scope }, query) => listCoverageOfPartner(services, scope, query),
  "partner/coverage": async (services, { scope }, { email }) =>
    readCoverage(services, await customerOf(services, scope, email)),
  "partner/coverage/days": async (services, { scope }, { email }) => ({
    days: await readCoverageDays(services, await customerOf(services, scope, email)),
  }),
  "partner/coverage/devices": async (services, { scope }, { email, ...query }) =>
    listDevices(services, await customerOf(services, scope, email), query),
  "admin/coverage/customers": (services, { scope }, query) => listAllCoverage(services, scope, query),
  "admin/coverage": async (services, { scope }, { email }) =>
    readCoverage(services, await customerOf(services, scope, email)),
  "admin/coverage/days": async (services, { scope }, { email }) => ({
    days: await readCoverageDays(services, await customerOf(services, scope, email)),
  }),
  "admin/coverage/devices": async (services, { scope }, { email, ...query }) =>
    listDevices(services, await customerOf(services, scope, email), query),
  "admin/coverage/rules": (services, { scope }, { email }) => listRules(services, scope, email),
  "admin/coverage/rules/save": async (services, { scope }, rule) => ({
    id: await saveRule(services, scope, rule),
    message: rule.id
      ? "The rule is changed, and devices are matched again."
      : "The rule is added, and devices are matched again.",
  }),
  "admin/coverage/rules/remove": async (services, { scope }, seen) => {
    await removeRule(services, scope, seen);
    return { message: "The rule is removed, and devices are matched again." };
  },
  "admin/coverage/limits/save": async (services, { scope }, limit) => {
    await saveLimit(services, scope, limit);
    return { message: limit.minutes === null ? "The limit is removed." : "The limit is set." };
  },
  "admin/coverage/devices/decide": async (services, { scope }, decided) => ({
    message: await decideDevices(services, scope, decided),
  }),
} satisfies Partial<Handlers>;
