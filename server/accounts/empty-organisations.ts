import { and, eq, inArray, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "../database/database.ts";
import { customerTools, orders, organisations, people, quotes, usageSnapshots } from "../database/schema/index.ts";
import { ownersOfRecords } from "./move-records.ts";

/** While there is one of these, an organisation stays: a partner's customers as well, whom we may have moved to it. */
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

/** Deletes those customers and partners among these that have nobody and nothing any more, also nothing that we have put there. */
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
