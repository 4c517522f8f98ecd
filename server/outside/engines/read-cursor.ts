import type { z } from "zod";

/** Parses a cursor stored as JSON; null for one that does not fit, such as one of another version or engine. */
export function readCursor<Cursor>(schema: z.ZodType<Cursor>, written: string | null): Cursor | null {
  try {
    return schema.parse(JSON.parse(written ?? ""));
  } catch {
    return null;
  }
}
