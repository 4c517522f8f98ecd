import { and, eq, inArray, lt, notExists, type SQL, sql } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import { pictureAddress, pictureFile, pictureForms, pictureWidths } from "../../contract/post-states.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { articleImages, articleVersions, posts } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { encodeImage, type Shape } from "./encode-image.ts";

const batch = 50;

/**
 * Stores an uploaded image and returns its address for articles, with its size in pixels. The row is inserted before
 * the files are written: `removeUnusedImages` removes an image whose upload broke off or that no article took.
 * @throws Failure invalid, saying what is wrong with the file
 */
export async function addImage(
  services: Services,
  { actor }: Scope<"any">,
  bytes: Uint8Array,
  shape: Shape,
): Promise<{ address: string; width: number; height: number }> {
  const { width, height, files } = await encodeImage(bytes, shape);
  const id = await services.database.transaction(async (transaction) => {
    const [made] = await transaction
      .insert(articleImages)
      .values({ uploadedBy: actor.personId, createdAt: services.now(), width, height })
      .returning({ id: articleImages.id });
    if (!made) throw new Error("The image was not added");
    await audit(transaction, actor.personId, "add article image", `image:${made.id}`, { bytes: bytes.length });
    return made.id;
  });
  await Promise.all(files.map((file) => services.files.write(pictureFile(id, file.width, file.form), file.bytes)));
  return { address: pictureAddress(id, 1440, "webp"), width, height };
}

/** Removes images that no article version names: those of `ids`, or else all that are a day old. Returns how many. */
export async function removeUnusedImages(services: Services, ids?: string[]): Promise<number> {
  const old = lt(articleImages.createdAt, earlier(services.now(), { hours: limits.unusedImageHours }));
  const candidates = ids ? inArray(articleImages.id, ids) : old;
  let removed = 0;
  for (let found = batch; found === batch;) {
    // oxlint-disable-next-line no-await-in-loop -- each batch takes what the one before has left
    const some = await removeSome(services, candidates);
    found = some.found;
    removed += some.removed;
  }
  return removed;
}

async function removeSome({ database, files }: Services, candidates: SQL) {
  return database.transaction(async (transaction) => {
    const isUnused = and(
      notExists(
        transaction
          .select({ one: sql`1` })
          .from(articleVersions)
          .where(sql`${articleVersions.images} @> array[${articleImages.id}]`),
      ),
      notExists(
        transaction
          .select({ one: sql`1` })
          .from(posts)
          .where(eq(posts.headerImg, sql`'/images/articles/' || ${articleImages.id} || '-1440.webp'`)),
      ),
    );
    const found = await transaction
      .select({ id: articleImages.id })
      .from(articleImages)
      .where(and(candidates, isUnused))
      .limit(batch)
      .for("update", { skipLocked: true });
    if (found.length === 0) return { found: 0, removed: 0 };
    // Checked again now that they are locked: an article saved meanwhile with one of them has it in a version, which
    // this statement sees.
    const ids = found.map(({ id }) => id);
    const unused = await transaction
      .select({ id: articleImages.id })
      .from(articleImages)
      .where(and(inArray(articleImages.id, ids), isUnused));
    // Files first: if the process is killed in between, the next run finds the row again.
    const names = unused.flatMap(({ id }) => filesOf(id));
    await Promise.all(names.map((name) => files.remove(name)));
    const gone = unused.map(({ id }) => id);
    if (gone.length === 0) return { found: found.length, removed: 0 };
    await transaction.delete(articleImages).where(inArray(articleImages.id, gone));
    await audit(transaction, null, "remove article images", "article images", { images: gone.length });
    return { found: found.length, removed: gone.length };
  });
}

const filesOf = (id: string) =>
  pictureWidths.flatMap((width) => pictureForms.map((form) => pictureFile(id, width, form)));
