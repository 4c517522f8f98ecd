/** A text is named after this many runs: naming what comes once or twice would only fill PostgreSQL's memory. */
const oftenAfter = 20;
/** How many names there are at most, as each connection keeps the plan of each. */
const namesMax = 100;
/** How many texts are counted at most: lists of values of any length keep making new ones. */
const countedMax = 1000;

/**
 * Names write statements that recur, so that each connection plans them once: planning a short one takes longer than
 * running it. Pure reads get no name, as the best plan of a search depends on the search. Where a generic plan would
 * cost more than one for the given values, PostgreSQL makes the latter even for a named statement.
 */
export function openNames(): (text: string) => string | undefined {
  const asked = new Map<string, number>();
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (name || names.size >= namesMax || !isOneWrite(text)) return name;
    const times = (asked.get(text) ?? 0) + 1;
    if (times > oftenAfter) {
      asked.delete(text);
      names.set(text, `write_${names.size + 1}`);
      return names.get(text);
    }
    if (!asked.has(text) && asked.size >= countedMax) asked.clear();
    asked.set(text, times);
    return undefined;
  };
}

/** Several statements in one text, which the job queue sometimes sends, can't be prepared. */
const isOneWrite = (text: string) =>
  /^\s*(with|insert|update|delete)\b/i.test(text) &&
  /\b(insert\s+into|update|delete\s+from)\b/i.test(text) &&
  !/;\s*\S/.test(text);
