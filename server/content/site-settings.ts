import { contentLimits } from "../../contract/content-limits.ts";
import { desc, eq, sql } from "drizzle-orm";
import { indiaCalendar } from "../../contract/india-time.ts";
import type { LegalTexts } from "../../contract/privacy-notice.ts";
import type { SiteSection, SiteTexts } from "../../contract/shown-texts.ts";
import {
  type SavedSection,
  shippedTexts,
  type SiteSettings,
  siteSections,
  type TextVersion,
  type WrittenSection,
} from "../../contract/site-texts.ts";
import { changesBetween } from "../../contract/text-changes.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { people, siteTexts } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** The page that shows a section best; null if no page does. */
const pageOf: Record<SiteSection, string | null> = {
  brand: "/contact",
  faq: "/",
  serviceLevels: "/buyers-guide",
  legal: "/privacy-policy",
  seller: null,
};

/** The current content of every section. */
export async function findSiteSettings({ database }: Services, _scope: Scope<"any">): Promise<SiteSettings> {
  const sections = Object.keys(siteSections) as SiteSection[];
  const found = await Promise.all(
    sections.map(async (section) => {
      const [latest] = await versionsOf(database, section, 1);
      const { version = 0, savedAt = null, savedBy = null } = latest ?? {};
      const content = latest?.content ?? shippedTexts[section];
      return [section, { content, version, saved_at: savedAt?.toISOString() ?? null, saved_by: savedBy }];
    }),
  );
  // Each content was parsed by its section's schema when it was saved, and is parsed again in the response.
  return Object.fromEntries(found) as SiteSettings;
}

/** A section's newest versions, each with its changes from the one before. */
export async function listTextVersions(
  { database }: Services,
  _scope: Scope<"any">,
  section: SiteSection,
): Promise<TextVersion[]> {
  const rows = await versionsOf(database, section, contentLimits.textVersionsShown + 1);
  return rows.slice(0, contentLimits.textVersionsShown).map(({ version, savedAt, savedBy, content }, index) => ({
    version,
    saved_at: savedAt.toISOString(),
    saved_by: savedBy,
    changes: changesBetween(rows[index + 1]?.content ?? shippedTexts[section], content ?? shippedTexts[section]),
  }));
}

/** A section's page as it is and as it would be. @throws Failure not_found where no pages are served */
export async function previewTexts(
  services: Services,
  _scope: Scope<"any">,
  { section, content }: WrittenSection,
): Promise<{ path: string; before: string; after: string }> {
  const path = pageOf[section];
  if (path === null) throw notFound("A page with these texts");
  const now = await services.siteTexts.current();
  const [before, after] = await Promise.all([
    services.siteTexts.draw(path, now),
    services.siteTexts.draw(path, { ...now, [section]: content }),
  ]);
  if (before === null || after === null) throw notFound("This page");
  return { path, before: withoutScripts(before), after: withoutScripts(after) };
}

/** Removed because a browser would report each script as blocked. */
const withoutScripts = (page: string) => page.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, "");

/**
 * Saves a section's new content and returns its version; content that changes nothing keeps the version.
 * @throws Failure conflict when it was changed since the version given, invalid
 */
export async function saveTexts(
  services: Services,
  { actor }: Scope<"any">,
  { section, version, content }: SavedSection,
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const before = await lockSection(transaction, section, version);
    if (section === "legal") refuseRewriting(services.now(), before as LegalTexts, content);
    if (changesBetween(before, content).length === 0) return version;
    return keepVersion(services, transaction, { section, version, content, before, by: actor.personId });
  });
}

/**
 * Restores an earlier version of a section as a new version; 0 is the shipped content.
 * @throws Failure conflict, not_found
 */
export async function restoreTexts(
  services: Services,
  { actor }: Scope<"any">,
  { section, version, to }: { section: SiteSection; version: number; to: number },
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const before = await lockSection(transaction, section, version);
    const found = (await versionsOf(transaction, section)).find((each) => each.version === to);
    if (!found && to !== 0) throw notFound("This version");
    const content = found?.content ?? null;
    const after = content ?? shippedTexts[section];
    // Content saved by an earlier release may break today's rules.
    if (!siteSections[section].safeParse(after).success)
      throw new Failure(
        "conflict",
        "This version does not fit this release any more. Please type what you need of it.",
      );
    if (section === "legal") refuseRewriting(services.now(), before as LegalTexts, after as LegalTexts);
    if (changesBetween(before, after).length === 0) return version;
    return keepVersion(services, transaction, { section, version, content, before, by: actor.personId, restored: to });
  });
}

interface Kept {
  section: SiteSection;
  /** The version before. */
  version: number;
  content: SiteTexts[SiteSection] | null;
  before: object;
  by: string;
  restored?: number;
}

async function keepVersion(
  { now }: Services,
  transaction: Transaction,
  { section, version, content, before, by, restored }: Kept,
): Promise<number> {
  await transaction
    .insert(siteTexts)
    .values({ section, version: version + 1, content: content ?? null, savedAt: now(), savedBy: by });
  const changes = changesBetween(before, content ?? shippedTexts[section]);
  const side = (which: "before" | "after") => Object.fromEntries(changes.map((each) => [each.field, each[which]]));
  await audit(
    transaction,
    by,
    restored === undefined ? "change site texts" : "restore site texts",
    `site text:${section}`,
    { ...(restored !== undefined && { restored }), before: side("before"), after: side("after") },
  );
  return version + 1;
}

/** Lets changes take turns and returns the section's content. @throws Failure conflict unless it has this version */
async function lockSection(transaction: Transaction, section: SiteSection, version: number): Promise<object> {
  await transaction.execute(sql`select pg_advisory_xact_lock(72177252)`);
  const [latest] = await versionsOf(transaction, section, 1);
  if ((latest?.version ?? 0) !== version)
    throw new Failure(
      "conflict",
      `${latest?.savedBy ?? "Somebody else"} changed these texts meanwhile. What you typed is still here: look at theirs, then save again.`,
    );
  return latest?.content ?? shippedTexts[section];
}

/** People have agreed to the versions shown, so those stay as they were. @throws Failure invalid */
function refuseRewriting(now: Date, before: LegalTexts, after: LegalTexts): void {
  const changed = before.notices.some(({ version, changes }, index) => {
    const still = after.notices[index];
    return still?.version !== version || still.changes !== changes;
  });
  const sentence = changed
    ? "A version of the notice that has been shown stays as it is. Please add a new one instead."
    : lastDay(after) > indiaCalendar(now).toISOString().slice(0, 10)
      ? "The day has not come yet. A version is of the day on which it is first shown."
      : null;
  if (sentence) throw invalidField("content.notices", sentence);
}

const lastDay = ({ notices, termsVersion }: LegalTexts) =>
  [termsVersion, ...notices.map(({ version }) => version)].toSorted().at(-1) ?? "";

/** A section's versions, newest first, with who saved them; without a limit all of them. */
async function versionsOf(database: Database | Transaction, section: SiteSection, limit?: number) {
  const query = database
    .select({
      version: siteTexts.version,
      content: siteTexts.content,
      savedAt: siteTexts.savedAt,
      savedBy: sql<string | null>`${people.firstName} || ' ' || ${people.lastName}`,
    })
    .from(siteTexts)
    .leftJoin(people, eq(people.id, siteTexts.savedBy))
    .where(eq(siteTexts.section, section))
    .orderBy(desc(siteTexts.version))
    .$dynamic();
  return limit === undefined ? query : query.limit(limit);
}
