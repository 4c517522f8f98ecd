import type { z } from "zod";

/** Where a reading stood, as it was written in JSON; null for one that is not known, of another version or another engine. */
export function readCursor<Cursor>(schema: z.ZodType<Cursor>, written: string | null): Cursor | null {
  try {
    return schema.parse(JSON.parse(written ?? ""));
  } catch {
    return null;
  }
}
