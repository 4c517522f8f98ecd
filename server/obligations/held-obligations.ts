import { desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Obligation } from "../../contract/obligation-kinds.ts";
import type { EditableObligation } from "../../contract/obligations.ts";
import type { Database, Transaction } from "../database/database.ts";
import { obligationVersions, people } from "../database/schema/index.ts";
import { shippedObligations } from "./shipped.ts";

export type HeldObligation = Obligation & Pick<EditableObligation, "verified" | "changed">;

/** All obligations in their current version: as shipped, or as an administrator last wrote them. */
export async function readObligations(database: Database | Transaction): Promise<HeldObligation[]> {
  const written = (await versionsIn(database)).filter(
    ({ key }, index, all) => all.findIndex((each) => each.key === key) === index,
  );
  const byKey = new Map(written.map((each) => [each.key, each]));
  const shipped = shippedObligations.map((each) => byKey.get(each.key) ?? asShipped(each));
  const own = written.filter(({ key }) => !shippedObligations.some((each) => each.key === key));
  return [...shipped, ...own];
}

/** All versions of one obligation, newest first, with the shipped one last. */
export async function readVersions(database: Database | Transaction, key: string): Promise<HeldObligation[]> {
  const written = (await versionsIn(database, key)).toSorted((one, other) => other.version - one.version);
  return [...written, ...shippedObligations.filter((each) => each.key === key).map(asShipped)];
}

const asShipped = (obligation: Obligation): HeldObligation => ({ ...obligation, verified: null, changed: null });

const verifiers = alias(people, "verifiers");
const nameOf = ({ firstName, lastName }: typeof verifiers | typeof people) =>
  sql<string>`${firstName} || ' ' || ${lastName}`;

async function versionsIn(database: Database | Transaction, key?: string): Promise<HeldObligation[]> {
  const rows = await database
    .select({ row: obligationVersions, madeBy: nameOf(people), verifiedBy: nameOf(verifiers) })
    .from(obligationVersions)
    .innerJoin(people, eq(people.id, obligationVersions.madeBy))
    .leftJoin(verifiers, eq(verifiers.id, obligationVersions.verifiedBy))
    .where(key === undefined ? undefined : eq(obligationVersions.key, key))
    .orderBy(obligationVersions.key, desc(obligationVersions.version));
  return rows.map(({ row, madeBy, verifiedBy }) => ({
    ...row.words,
    key: row.key,
    version: row.version,
    verified: row.verifiedAt ? { by: verifiedBy, on: row.verifiedAt.toISOString() } : null,
    changed: { name: madeBy, at: row.createdAt.toISOString() },
  }));
}

/** An obligation in the API's form, for editing. */
export const presentObligation = ({
  key,
  version,
  verified,
  changed,
  ...words
}: HeldObligation): EditableObligation => ({
  key,
  version,
  words,
  verified,
  changed,
});
