/** Asked so often before it gets a name: what comes once or twice would only fill PostgreSQL's memory. */
const oftenAfter = 20;
/** Each connection keeps the plans of so many at most. */
const namesMax = 100;
/** So many texts are counted: lists of values of any length make ever new ones. */
const countedMax = 1000;

/**
 * Names statements that write and come again and again, so that a connection plans each once: for a short one that takes
 * longer than to do it. What only reads has none, as the best way to search depends on what is searched for; where a plan
 * for any value would be dearer than one for these values, PostgreSQL makes the latter all the same.
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

/** Several in one text, as the job queue sends some, can't be prepared. */
const isOneWrite = (text: string) =>
  /^\s*(with|insert|update|delete)\b/i.test(text) &&
  /\b(insert\s+into|update|delete\s+from)\b/i.test(text) &&
  !/;\s*\S/.test(text);
