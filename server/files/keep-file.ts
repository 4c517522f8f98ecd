import { eq, inArray, lt, type SQL } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import type { Transaction } from "../database/database.ts";
import { unnamedFiles } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** Small: each file is deleted from a store that may be far away. */
const batch = 50;
/** Far longer than any upload takes. */
const uploading = { days: 1 };

/**
 * Stores an uploaded file under a new name together with the record that names it: both or neither, even if
 * interrupted. `name` writes the record and answers whether it did.
 * @throws what `name` throws
 */
export async function keepFile(
  services: Services,
  file: string,
  bytes: Uint8Array,
  name: (transaction: Transaction) => Promise<boolean>,
): Promise<void> {
  await services.database.insert(unnamedFiles).values({ file, since: services.now() });
  let isNamed = false;
  try {
    await services.files.write(file, bytes);
    isNamed = await services.database.transaction(async (transaction) => {
      const named = await name(transaction);
      if (named) await transaction.delete(unnamedFiles).where(eq(unnamedFiles.file, file));
      return named;
    });
  } finally {
    if (!isNamed) await removeUnnamedFile(services, file);
  }
}

/**
 * Marks a file that a record no longer names; once committed, `removeUnnamedFile` or `removeUnnamedFiles` removes it.
 */
export async function giveUpFile({ now }: Services, transaction: Transaction, file: string): Promise<void> {
  await transaction.insert(unnamedFiles).values({ file, since: now() }).onConflictDoNothing();
}

/** Removes a file that nothing names; if that fails now, `removeUnnamedFiles` does it within a day or two. */
export async function removeUnnamedFile(services: Services, file: string): Promise<void> {
  try {
    await removeWhere(services, eq(unnamedFiles.file, file));
  } catch (error) {
    services.log.warn({ err: error, file }, "a file that nothing names is removed later");
  }
}

/** Removes some of the files that a killed process or an outage left in the store. Answers how many. */
export const removeUnnamedFiles = (services: Services): Promise<number> =>
  removeWhere(services, lt(unnamedFiles.since, earlier(services.now(), uploading)));

/**
 * A transaction about to name a file holds a lock on its row, so the file stays, even if the answer to the commit was
 * lost. A file that can't be removed does not hold up others and is tried again later.
 * @throws the first error of a removal
 */
async function removeWhere({ database, files, now }: Services, which: SQL): Promise<number> {
  const { removed, failed } = await database.transaction(async (transaction) => {
    const found = await transaction
      .select()
      .from(unnamedFiles)
      .where(which)
      .limit(batch)
      .for("update", { skipLocked: true });
    const removed: string[] = [];
    const failed: { file: string; error: unknown }[] = [];
    const remove = async (file: string) => {
      try {
        await files.remove(file);
        removed.push(file);
      } catch (error) {
        failed.push({ file, error });
      }
    };
    await Promise.all(found.map(({ file }) => remove(file)));
    await transaction.delete(unnamedFiles).where(inArray(unnamedFiles.file, removed));
    const left = failed.map(({ file }) => file);
    await transaction.update(unnamedFiles).set({ since: now() }).where(inArray(unnamedFiles.file, left));
    return { removed, failed };
  });
  if (failed[0]) throw failed[0].error;
  return removed.length;
}
