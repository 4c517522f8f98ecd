import { desc, eq, ne } from "drizzle-orm";
import { type SellerTexts, shippedSeller } from "../../contract/seller.ts";
import { shownTexts, showTexts, type SiteSection, type SiteTexts } from "../../contract/shown-texts.ts";
import type { Database, Transaction } from "../database/database.ts";
import { siteTexts } from "../database/schema/index.ts";
import type { DatabaseWatch } from "../database/watch.ts";

/** How this process knows the texts that operators have changed. `contract/shown-texts.ts` says what they are. */
export interface HeardTexts {
  /**
   * The texts that hold: waits while news of others has come and they are not read yet, and has them read anew while news may
   * go unheard. @throws when they can't be read
   */
  current(): Promise<SiteTexts>;
  /** Whether nothing is known to differ from what is shipped, so that the pages that were built ahead are right. */
  areShipped(): boolean;
  /** A page as HTML, as it would be with these texts; null where no pages are served. */
  draw(path: string, texts: SiteTexts): Promise<string> | null;
  /** Whoever serves the pages says how they are drawn. */
  drawBy(draw: (path: string, texts: SiteTexts) => Promise<string>): void;
}

/** Reads the changed texts, and again whenever a copy of the product has changed them. */
export async function openSiteTexts(database: Database, watch: DatabaseWatch): Promise<HeardTexts> {
  let reading: Promise<void> | null = null;
  /** Counts the news, so that what was read before the last of them does not pass for it. */
  let news = 1;
  /** Of which news the last reading knew when it began, and the last that succeeded. */
  let begun = 0;
  let known = 0;
  let hears = false;
  let drawPage: ((path: string, texts: SiteTexts) => Promise<string>) | null = null;
  const read = async () => {
    const heard = news;
    begun = heard;
    const texts = await readSiteTexts(database);
    known = heard;
    showTexts(texts);
  };
  const isRead = (wanted: number) => known >= wanted;
  /** Waits for no news that come later: while all that are asked for make some, nobody would be answered. */
  const settle = async () => {
    const wanted = news;
    while (!isRead(wanted)) {
      reading ??= read().finally(() => (reading = null));
      // oxlint-disable-next-line no-await-in-loop -- what is being read may have begun before the last news
      await reading;
    }
  };
  const hear = () => {
    news++;
    // Whoever needs them asks again and is told; a change that nobody looks at yet is read all the same.
    settle().catch(() => {});
  };
  await settle();
  await watch.listen(
    "content",
    (table) => table === "site_texts" && hear(),
    () => {
      hears = true;
      hear();
    },
    () => (hears = false),
  );
  return {
    current: async () => {
      // They may have changed since the last reading began. One reading does for all who ask until it begins.
      if (!hears && news === begun) news++;
      await settle();
      return shownTexts;
    },
    areShipped: () => hears && known === news && Object.keys(shownTexts).length === 0,
    draw: (path, texts) => drawPage?.(path, texts) ?? null,
    drawBy: (draw) => void (drawPage = draw),
  };
}

/** What the operator's documents say and are taxed by, as it is in this transaction. */
export async function readSeller(database: Database | Transaction): Promise<SellerTexts> {
  const [latest] = await database
    .select({ content: siteTexts.content })
    .from(siteTexts)
    .where(eq(siteTexts.section, "seller"))
    .orderBy(desc(siteTexts.version))
    .limit(1);
  // Parsed by its section's schema when it was saved; what could not be said then is as it is shipped.
  return { ...shippedSeller, ...(latest?.content as Partial<SellerTexts> | null | undefined) };
}

/**
 * The content of the sections that pages show, by the highest version; those that hold what is shipped are missing.
 */
export async function readSiteTexts(database: Database | Transaction): Promise<SiteTexts> {
  const rows = await database
    .selectDistinctOn([siteTexts.section], { section: siteTexts.section, content: siteTexts.content })
    .from(siteTexts)
    .where(ne(siteTexts.section, "seller"))
    .orderBy(siteTexts.section, desc(siteTexts.version));
  const changed = rows.filter(({ content }) => content !== null);
  return Object.fromEntries(changed.map(({ section, content }) => [section, content])) as Partial<
    Record<SiteSection, never>
  >;
}
