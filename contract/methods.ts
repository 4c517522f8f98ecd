import type { OperationName } from "./operations.ts";

// Known apart from the schemas, so that a page can call an operation without loading them.
const gets: ReadonlySet<string> = new Set<OperationName>([
  "generate-token",
  "user/sessions",
  "user/me",
  "user/get-users-dashboard-url",
  "partner/get-partner-dashboard",
  "admin/overview",
  "catalogue",
  "admin/rates",
  "admin/rates/card",
  "admin/getEstimationByAdmin",
  "admin/leads",
  "admin/leads/lead",
  "admin/leads/owners",
  "admin/leads/views",
  "admin/leads/funnel",
  "admin/getQuoteRates",
  "admin/getUserByAdmin",
  "admin/getChildrenByParentId",
  "blogs/{idKey}",
  "logs/categories",
  "logs/count",
  "proofs",
  "admin/settings/proofs",
  "admin/settings",
  "admin/settings/history",
  "admin/log-sources",
  "admin/tiles",
  "admin/audit",
  "user/audit",
  "partner/audit",
]);

export const methodOf = (name: OperationName) => (gets.has(name) ? "get" : "post");
