import { z } from "zod";
import { readMigrations } from "../database/database.ts";
import { StartRefused } from "../settings/env.ts";

/** The manifest without the hashes. */
const Contents = z.object({
  format: z.literal(1),
  /** The version in package.json. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The database's migrations, the oldest first; `createdAt` in milliseconds since 1970. */
  migrations: z.array(z.object({ hash: z.string(), createdAt: z.number() })).min(1),
  /** Rows are under tables/NAME/, in parts to be concatenated. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  /** How many files are under files/. */
  files: z.number(),
});
export type Contents = z.infer<typeof Contents>;

export const Manifest = Contents.extend({
  /** SHA-256 of each entry, by name. */
  hashes: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export type TableContents = Contents["tables"][number];

/**
 * @throws StartRefused unless this version knows every migration of the backup, and the backup lacks none in between
 */
export function refuseUnknownSchema({ migrations, version, madeAt }: Contents): void {
  const last = Math.max(...migrations.map(({ createdAt }) => createdAt));
  const known = readMigrations()
    .map(({ folderMillis }) => folderMillis)
    .filter((createdAt) => createdAt <= last);
  const same = known.length === migrations.length && migrations.every(({ createdAt }) => known.includes(createdAt));
  if (same) return;
  throw new StartRefused(
    `This backup of ${madeAt.slice(0, 10)} is from a version of Prahari that this one does not know (${version}, ${migrations.length} migrations); install that version or a newer one to restore it.`,
  );
}
