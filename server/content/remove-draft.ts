import { eq, sql } from "drizzle-orm";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { articles, articleVersions } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { lockSeen, type Seen } from "./article-changes.ts";
import { told } from "./save-article.ts";

/**
 * Deletes a draft with its versions; a job removes its images where nothing else names them. An article that visitors
 * could once read is kept, because its address must lead somewhere.
 * @throws Failure not_found, also if it was just deleted; conflict when it is no such draft, or somebody changed it
 */
export async function removeDraft(services: Services, { actor }: Scope<"any">, seen: Seen): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const article = await lockSeen(transaction, seen);
    if (article.state === "scheduled")
      throw new Failure("conflict", "This article is scheduled. Take it off the schedule before you delete it.");
    if (article.state !== "draft" || article.publishedAt)
      throw new Failure(
        "conflict",
        "Visitors have read this article, so it can't be deleted. Take it off the site instead.",
      );
    const named = await transaction
      .selectDistinct({ id: sql<string>`unnest(${articleVersions.images})` })
      .from(articleVersions)
      .where(eq(articleVersions.articleId, article.id));
    await transaction.delete(articles).where(eq(articles.id, article.id));
    const images = named.map(({ id }) => id);
    if (images.length > 0) await services.jobs.add(transaction, "remove-unused-images", { images });
    await audit(transaction, actor.personId, "remove article", `article:${article.id}`, {
      before: told(article.content),
    });
  });
}
