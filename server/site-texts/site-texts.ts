import { desc, eq, ne } from "drizzle-orm";
import { type SellerTexts, shippedSeller } from "../../contract/seller.ts";
import { shownTexts, showTexts, type SiteSection, type SiteTexts } from "../../contract/shown-texts.ts";
import type { Database, Transaction } from "../database/database.ts";
import { siteTexts } from "../database/schema/index.ts";
import type { DatabaseWatch } from "../database/watch.ts";

/** This process's copy of the texts that operators have changed. `contract/shown-texts.ts` says what they are. */
export interface HeardTexts {
  /**
   * The texts in force. Waits while news of a change has arrived and is not read yet, and reads again while changes may
   * go unheard.
   * @throws when they can't be read
   */
  current(): Promise<SiteTexts>;
  /** Whether no text is known to differ from what is shipped, so that prerendered pages are right. */
  areShipped(): boolean;
  /** A page as HTML with these texts; null where no pages are served. */
  draw(path: string, texts: SiteTexts): Promise<string> | null;
  /** Sets how pages are drawn; called by whatever serves them. */
  drawBy(draw: (path: string, texts: SiteTexts) => Promise<string>): void;
}

/** Reads the changed texts, and again whenever an instance of the product changes them. */
export async function openSiteTexts(database: Database, watch: DatabaseWatch): Promise<HeardTexts> {
  let reading: Promise<void> | null = null;
  /** Counts the news, so that a reading begun before the latest news does not count as up to date. */
  let news = 1;
  /** The count of news when the last reading began, and when the last successful one began. */
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
  /** Waits only for news up to now: if every request brought news, waiting for later ones would never end. */
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
    // Callers who need the texts ask again and get the error; a change is read even if nobody asks yet.
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
      // Without notifications the texts may have changed since the last reading began. One reading serves all who ask
      // before it begins.
      if (!hears && news === begun) news++;
      await settle();
      return shownTexts;
    },
    areShipped: () => hears && known === news && Object.keys(shownTexts).length === 0,
    draw: (path, texts) => drawPage?.(path, texts) ?? null,
    drawBy: (draw) => void (drawPage = draw),
  };
}

/** The seller's texts for documents and tax, as of this transaction. */
export async function readSeller(database: Database | Transaction): Promise<SellerTexts> {
  const [latest] = await database
    .select({ content: siteTexts.content })
    .from(siteTexts)
    .where(eq(siteTexts.section, "seller"))
    .orderBy(desc(siteTexts.version))
    .limit(1);
  // Parsed by its section's schema when it was saved; fields added since then have their shipped values.
  return { ...shippedSeller, ...(latest?.content as Partial<SellerTexts> | null | undefined) };
}

/**
 * The saved content of the sections that pages show, in their highest version; sections with shipped content are left
 * out.
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
