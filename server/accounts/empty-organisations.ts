import { and, eq, inArray, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "../database/database.ts";
import { customerTools, orders, organisations, people, quotes, usageSnapshots } from "../database/schema/index.ts";
import { ownersOfRecords } from "./move-records.ts";

/**
 * Columns that refer to an organisation: while any row does, it is kept. They include a partner's customers, which may
 * have been moved to it.
 */
const owners = [
  people.organisationId,
  alias(organisations, "customers").partnerId,
  quotes.organisationId,
  quotes.partnerId,
  orders.organisationId,
  customerTools.organisationId,
  usageSnapshots.organisationId,
  ...ownersOfRecords,
];

/** Deletes those of these customers and partners to which nothing refers any more. */
export async function removeEmptyOrganisations(transaction: Transaction, ids: string[]): Promise<void> {
  const left = owners.map((owner) =>
    notExists(
      transaction
        .select({ one: sql`1` })
        .from(owner.table)
        .where(eq(owner, organisations.id)),
    ),
  );
  await transaction
    .delete(organisations)
    .where(and(inArray(organisations.id, ids), ne(organisations.kind, "provider"), ...left));
}
