import { sql } from "drizzle-orm";
import {
  type Announcement,
  announcementList,
  type AnnouncementQuery,
  type AnnouncementState,
} from "../../contract/announcements.ts";
import type { Scope } from "../access/scope.ts";
import { listFrom, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { announcements } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { nameOrganisations } from "./whom.ts";

const allAnnouncements = listFrom(announcementList, {
  name: "announcements",
  table: announcements,
  fields: {
    id: announcements.id,
    version: announcements.version,
    title: announcements.title,
    text: announcements.text,
    audience: announcements.audience,
    roles: announcements.roles,
    organisationIds: announcements.organisationIds,
    shownFrom: announcements.shownFrom,
    shownUntil: announcements.shownUntil,
    mailed: announcements.mailed,
    withdrawnAt: announcements.withdrawnAt,
    deliveredAt: announcements.deliveredAt,
    createdBy: sql<
      string | null
    >`(select first_name || ' ' || last_name from people where people.id = announcements.created_by)`,
  },
  id: announcements.id,
  newest: "shown_from",
  searched: announcements.searched,
  sorts: { shown_from: announcements.shownFrom },
});
type AnnouncementRow = RowOf<(typeof allAnnouncements)["fields"]>;

/** All announcements, latest beginning first, so that planned ones are on top. */
export async function listAnnouncements({ database, now }: Services, _scope: Scope<"any">, query: AnnouncementQuery) {
  const { rows, ...page } = await listPage(database, allAnnouncements, null, query);
  const named = await nameOrganisations(database, [...new Set(rows.flatMap(({ organisationIds }) => organisationIds))]);
  return { announcements: rows.map((row) => present(row, named, now())), ...page };
}

function present(row: AnnouncementRow, named: Map<string, { email: string; name: string }>, now: Date): Announcement {
  return {
    id: row.id,
    version: row.version,
    title: row.title,
    text: row.text,
    audience: row.audience,
    roles: row.roles,
    organizations: row.organisationIds.flatMap((id) => named.get(id) ?? []),
    shown_from: row.shownFrom.toISOString(),
    shown_until: row.shownUntil.toISOString(),
    mailed: row.mailed,
    state: stateOf(row, now),
    delivered: row.deliveredAt !== null,
    created_by: row.createdBy,
  };
}

function stateOf({ withdrawnAt, shownFrom, shownUntil }: AnnouncementRow, now: Date): AnnouncementState {
  if (withdrawnAt) return "withdrawn";
  if (shownUntil <= now) return "over";
  return shownFrom > now ? "planned" : "shown";
}
