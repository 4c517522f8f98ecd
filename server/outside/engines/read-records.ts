import type { z } from "zod";
import type { Page } from "./engine.ts";

/** Parses each record by itself: one that is malformed is counted as unreadable, and the others are kept. */
export function readRecords<Shape extends z.ZodType, Item>(
  schema: Shape,
  records: readonly unknown[],
  present: (record: z.output<Shape>) => Item | null,
): Page<Item> {
  const items: Item[] = [];
  let unreadable = 0;
  for (const record of records) {
    const parsed = schema.safeParse(record);
    const item = parsed.success ? present(parsed.data) : null;
    if (item === null) unreadable++;
    else items.push(item);
  }
  return { items, unreadable };
}

/** What a word stands for, ignoring case, spaces, hyphens and underscores; "unknown" for any other word. */
export function wordIn<Meaning extends string>(
  meanings: Readonly<Record<string, Meaning>>,
  word: string | null | undefined,
): Meaning | "unknown" {
  const key = (word ?? "").toLowerCase().replaceAll(/[\s_-]/g, "");
  return Object.hasOwn(meanings, key) ? (meanings[key] as Meaning) : "unknown";
}

/** Severities by the words that several engines share. */
export const severityWords = {
  critical: "critical",
  high: "high",
  medium: "medium",
  low: "low",
  informational: "info",
  info: "info",
} as const;

/** Cuts an engine's long texts: they are shown on one line. */
export const shortened = (text: string, max = 500) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
