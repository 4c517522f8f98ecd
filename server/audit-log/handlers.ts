import type { Handlers } from "../call.ts";
import { listEntries, listEntriesOfCustomer, listEntriesOfPartner } from "./queries.ts";

export const auditHandlers = {
  "admin/audit": (services, { scope }, query) => listEntries(services, scope, query),
  "user/audit": (services, { scope }, query) => listEntriesOfCustomer(services, scope, query),
  "partner/audit": (services, { scope }, query) => listEntriesOfPartner(services, scope, query),
} satisfies Partial<Handlers>;
