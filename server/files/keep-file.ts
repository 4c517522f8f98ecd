import { eq, inArray, lt, type SQL } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import type { Transaction } from "../database/database.ts";
import { unnamedFiles } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** Each has a file to delete, in a store that may be far away. */
const batch = 50;
/** Far longer than any upload takes. */
const uploading = { days: 1 };

/**
 * Keeps what somebody uploaded, under a name that is new, with the record that names it: both or neither, wherever this is broken
 * off. `name` writes the record, and answers whether it did.
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

/** Gives up a file for another in a record: `removeUnnamedFile` removes it once that holds, or `removeUnnamedFiles` does. */
export async function giveUpFile({ now }: Services, transaction: Transaction, file: string): Promise<void> {
  await transaction.insert(unnamedFiles).values({ file, since: now() }).onConflictDoNothing();
}

/** Removes a file if nothing names it; where that can't be done now, it is done within a day or two. */
export async function removeUnnamedFile(services: Services, file: string): Promise<void> {
  try {
    await removeWhere(services, eq(unnamedFiles.file, file));
  } catch (error) {
    services.log.warn({ err: error, file }, "a file that nothing names is removed later");
  }
}

/** Removes some of the files that a process which was killed, or an outage, left in the store. Answers how many. */
export const removeUnnamedFiles = (services: Services): Promise<number> =>
  removeWhere(services, lt(unnamedFiles.since, earlier(services.now(), uploading)));

/**
 * What a transaction is about to name is locked by it, also where the answer of its commit was lost: it stays. One that can't be
 * removed holds up no other, and has its turn again. @throws what the first of these failed by
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
