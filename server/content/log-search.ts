import { and, or, type SQL, sql } from "drizzle-orm";
import type { LogQuery, LogSource } from "../../contract/content.ts";
import type { Database, Transaction } from "../database/database.ts";
import { logSources } from "../database/schema/index.ts";
import { inCategories } from "./log-sources.ts";

/**
 * Limits the rows that are ranked, so that a word that is everywhere costs no more than others; far more than anyone
 * reads.
 */
const rankedLiterally = 2000;
const rankedBySimilarity = 200;
/** pg_trgm's word_similarity: "plao alto" and "Palo Alto" have 0.6, chance hits about 0.3. */
const similarEnough = 0.4;
/** Share of the best match's similarity that a row needs to be a match. */
const nearTheBest = 0.7;

const { searched, label } = logSources;
const columns = sql`id, product as "Product", category as "Category", label, format as "Format"`;

/**
 * Searches log sources, best first: exact label, labels then products that begin with the text, labels then products
 * that contain it, then those with all its words anywhere; if there are none, the most similar ones. Ties are sorted by
 * product and id, so that pages don't overlap.
 */
export async function searchLogSources(database: Database, query: LogQuery): Promise<LogSource[]> {
  const text = query.searchQuery
    .toLowerCase()
    .replace(/[\s_]+/g, " ")
    .trim();
  if (text === "") return [];
  const containing = await rankLiterally(database, text, hasAllWords(text), query);
  if (containing.length > 0) return containing;
  if (query.startingNode > 0 && (await hasAny(database, hasAllWords(text), query))) return [];
  return hasTrigrams(text)
    ? rankBySimilarity(database, text, query)
    : rankLiterally(database, text, sql`${searched} like ${`%${escaped(text)}%`}`, query);
}

async function rankLiterally(database: Database, text: string, fits: SQL, query: LogQuery): Promise<LogSource[]> {
  const asLabel = text.toUpperCase().replaceAll(" ", "_");
  const [inLabel, inProduct] = [escaped(asLabel), escaped(text)];
  const categories = inCategories(query.categories);
  const { rows } = await database.execute<LogSource & Record<string, unknown>>(sql`
    with candidates as materialized (
      select * from ${logSources} where ${label} = ${asLabel} and ${categories}
      union all
      (select * from ${logSources} where ${fits} and ${label} <> ${asLabel} and ${categories} limit ${rankedLiterally})
    )
    select ${columns} from candidates
    order by case
        when label = ${asLabel} then 0
        when label like ${`${inLabel}%`} then 1
        when searched like ${`${inProduct}%`} then 2
        when label like ${`%${inLabel}%`} then 3
        when strpos(searched, ${text}) between 1 and length(product) then 4
        else 5
      end, product, id
    limit ${query.limit} offset ${query.startingNode}`);
  return rows;
}

/** Every word anywhere; a word too short for the index must begin a word. */
function hasAllWords(text: string): SQL {
  const conditions = text.split(" ").map((word) => {
    const literal = escaped(word);
    return word.length >= 3
      ? sql`${searched} like ${`%${literal}%`}`
      : or(sql`${searched} like ${`${literal}%`}`, sql`${searched} like ${`% ${literal}%`}`);
  });
  return and(...conditions) ?? sql`true`;
}

async function hasAny(database: Database, fits: SQL, query: LogQuery): Promise<boolean> {
  const { rows } = await database.execute(
    sql`select from ${logSources} where ${fits} and ${inCategories(query.categories)} limit 1`,
  );
  return rows.length > 0;
}

async function rankBySimilarity(database: Database, text: string, query: LogQuery): Promise<LogSource[]> {
  return database.transaction(async (transaction) => {
    await preferTrigramIndex(transaction);
    const { rows } = await transaction.execute<LogSource & Record<string, unknown>>(sql`
      with candidates as materialized (
        select *, word_similarity(${text}, ${searched}) as similarity from ${logSources}
        where ${searched} %> ${text} and ${inCategories(query.categories)}
        limit ${rankedBySimilarity}
      )
      select ${columns} from candidates
      where similarity >= ${nearTheBest} * (select max(similarity) from candidates)
      order by similarity desc, greatest(
          similarity(${text}, left(product, ${text.length + 1})),
          similarity(${text}, replace(left(label, ${text.length + 1}), '_', ' '))) desc,
        product, id
      limit ${query.limit} offset ${query.startingNode}`);
    return rows;
  });
}

/** PostgreSQL rates the %> operator as cheap and would scan the whole table, at some 20 microseconds per row. */
async function preferTrigramIndex(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`select set_config('pg_trgm.word_similarity_threshold', ${String(similarEnough)}, true),
    set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`);
}

/** Similarity needs a word of at least three letters or digits. */
const hasTrigrams = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

/** Escapes LIKE's wildcards. */
const escaped = (text: string) => text.replace(/[\\%_]/g, "\\$&");
