import type { QueryClient } from "@tanstack/react-query";
import type { OperationName } from "../../../contract/operations.ts";

const shown: readonly OperationName[] = [
  "admin/people",
  "admin/people/organization",
  "admin/people/sessions",
  "admin/people/invitations",
  "admin/people/data-requests",
  "admin/getUserByAdmin",
  "admin/getUserByEmailforAdmin",
  "admin/getUsersByPartnerEmail",
  "admin/getChildrenByParentId",
  "admin/leads/owners",
];

/** Refetches everything that shows people or organisations. */
export async function refreshPeople(queries: QueryClient): Promise<void> {
  await Promise.all(shown.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
