import { contentLimits } from "../../contract/content-limits.ts";
import { contentMessages } from "../../contract/content-messages.ts";
import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { tileImage } from "../../contract/tile-icons.ts";
import { type NewTile, type OperatorTile, tileList } from "../../contract/tiles.ts";
import type { Tile } from "../../contract/tools.ts";
import type { ListQuery, SortOf } from "../../contract/lists.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { joined, listFrom } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { organisations, tiles } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

type TileRow = typeof tiles.$inferSelect;

const allTiles = listFrom(tileList, {
  table: tiles,
  fields: {
    id: tiles.id,
    title: tiles.title,
    text: tiles.text,
    icon: tiles.icon,
    url: tiles.url,
    place: tiles.place,
    shown: tiles.shown,
    version: tiles.version,
    organizationName: joined(organisations.name),
    email: sql<string | null>`(select email::text from people
      where people.organisation_id = tiles.organisation_id order by people.role <> 'user', people.id limit 1)`,
  },
  joins: sql`left join organisations on organisations.id = tiles.organisation_id`,
  id: tiles.id,
  searched: tiles.searched,
  sorts: { title: sql`lower(${tiles.title})`, place: tiles.place },
});

export async function listTiles(services: Services, _scope: Scope<"any">, query: ListQuery<SortOf<typeof tileList>>) {
  const { rows, ...page } = await listPage(services.database, allTiles, null, query);
  const shown = rows.map(({ organizationName, ...row }): OperatorTile => ({
    ...row,
    organization_name: organizationName,
  }));
  return { tiles: shown, ...page };
}

/** An organisation's tiles besides SIEM and SOAR, in order. */
export async function findTiles({ database }: Services, scope: Scope<"organisation">): Promise<Tile[]> {
  const rows = await database
    .select({ title: tiles.title, text: tiles.text, icon: tiles.icon, url: tiles.url })
    .from(tiles)
    .where(and(tiles.shown, or(isNull(tiles.organisationId), eq(tiles.organisationId, organisationOf(scope)))))
    .orderBy(asc(tiles.place), asc(tiles.id))
    .limit(contentLimits.tilesShown);
  return rows.map(({ title, text, icon, url }) => ({ url, image: tileImage(icon), message: `${title}: ${text}` }));
}

/** Answers the tile's id. @throws Failure not_found for an unknown customer */
export async function addTile(services: Services, scope: Scope<"any">, tile: NewTile): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const columns = await columnsOf(transaction, scope, tile);
    const [made] = await transaction
      .insert(tiles)
      .values({ ...columns, updatedAt: services.now() })
      .returning({ id: tiles.id });
    if (!made) throw new Error("The tile was not added");
    await audit(transaction, scope.actor.personId, "add tile", `tile:${made.id}`, { after: saidBy(columns) });
    return made.id;
  });
}

/** @throws Failure not_found, conflict when the tile has changed since `version` */
export async function changeTile(
  services: Services,
  scope: Scope<"any">,
  { id, version, ...tile }: NewTile & Seen,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await lockTile(transaction, { id, version });
    const columns = await columnsOf(transaction, scope, tile);
    await transaction
      .update(tiles)
      .set({ ...columns, version: version + 1, updatedAt: services.now() })
      .where(eq(tiles.id, id));
    const detail = { before: saidBy(before), after: saidBy(columns) };
    await audit(transaction, scope.actor.personId, "change tile", `tile:${id}`, detail);
  });
}

/** @throws Failure not_found, conflict when the tile has changed since `version` */
export async function removeTile(services: Services, { actor }: Scope<"any">, seen: Seen): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await lockTile(transaction, seen);
    await transaction.delete(tiles).where(eq(tiles.id, seen.id));
    await audit(transaction, actor.personId, "remove tile", `tile:${seen.id}`, { before: saidBy(before), after: {} });
  });
}

/** The tile and the version of it that the editor saw. */
interface Seen {
  id: string;
  version: number;
}

async function lockTile(transaction: Transaction, { id, version }: Seen): Promise<TileRow> {
  const [known] = await transaction.select().from(tiles).where(eq(tiles.id, id)).for("update");
  if (!known) throw notFound("This tile");
  if (known.version !== version) throw new Failure("conflict", contentMessages.tileMeanwhile);
  return known;
}

async function columnsOf(transaction: Transaction, scope: Scope<"any">, { email, ...columns }: NewTile) {
  if (email === null) return { ...columns, organisationId: null };
  const customer = await reachCustomer(transaction, scope, email);
  if (!customer) throw notFound("This customer");
  return { ...columns, organisationId: organisationOf(customer) };
}

/**
 * For the audit log: names the customer by organisation, as an e-mail does not belong in a log that is never erased.
 */
const saidBy = ({
  organisationId,
  title,
  text,
  icon,
  url,
  place,
  shown,
}: Omit<TileRow, "id" | "version" | "updatedAt" | "searched">) => ({
  organisationId,
  title,
  text,
  icon,
  url,
  place,
  shown,
});
