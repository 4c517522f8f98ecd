import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ends parts of the product in parallel, and goes on without those that take longer than `seconds`. Answers the names
 * of those and of parts that failed, with the reason.
 */
export async function endWithin(seconds: number, parts: Record<string, () => Promise<unknown>>): Promise<string[]> {
  const outcomes = Object.entries(parts).map(async ([name, end]) => {
    const over = new AbortController();
    const late = sleep(seconds * 1000, `${name} (no end after ${seconds} s)`, { signal: over.signal });
    late.catch(() => {});
    try {
      return await Promise.race([end().then(() => null), late]);
    } catch (error) {
      return `${name} (${error instanceof Error ? error.message : String(error)})`;
    } finally {
      over.abort();
    }
  });
  return (await Promise.all(outcomes)).filter((outcome) => outcome !== null);
}
