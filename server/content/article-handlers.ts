import { paperDate } from "../outside/documents/paper.ts";
import type { Handlers } from "../call.ts";
import { addImage } from "./article-images.ts";
import { headerShape, textShape } from "./encode-image.ts";
import { findArticle, findVersion, findWords, listArticles, previewArticle } from "./find-article.ts";
import { publishArticle, scheduleArticle, unpublishArticle } from "./publish-article.ts";
import { removeDraft } from "./remove-draft.ts";
import { addArticle, restoreVersion, saveArticle } from "./save-article.ts";

export const articleHandlers = {
  "admin/posts": (services, { scope }, query) => listArticles(services, scope, query),
  "admin/posts/post": (services, { scope }, { id }) => findArticle(services, scope, id),
  "admin/posts/version": (services, { scope }, asked) => findVersion(services, scope, asked),
  "admin/posts/words": (services, { scope }) => findWords(services, scope),
  "admin/posts/preview": (services, { scope }, { id }) => previewArticle(services, scope, id),
  "admin/posts/add": async (services, { scope }, content) => ({
    id: await addArticle(services, scope, content),
    version: 1,
    message: "The draft is saved.",
  }),
  "admin/posts/save": async (services, { scope }, change) => ({
    version: await saveArticle(services, scope, change),
    message: "Saved.",
  }),
  "admin/posts/restore": async (services, { scope }, change) => ({
    version: await restoreVersion(services, scope, change),
    message: "The earlier version is the newest one now.",
  }),
  "admin/posts/publish": async (services, { scope }, { at, ...seen }) => {
    if (at === null)
      return { version: await publishArticle(services, scope, seen), message: "The article is on the site now." };
    const version = await scheduleArticle(services, scope, { ...seen, at: new Date(at) });
    return { version, message: `It will be published on ${paperDate(new Date(at))}.` };
  },
  "admin/posts/unpublish": async (services, { scope }, seen) => ({
    version: await unpublishArticle(services, scope, seen),
    message: "It is not on the site, and not scheduled.",
  }),
  "admin/posts/remove": async (services, { scope }, seen) => {
    await removeDraft(services, scope, seen);
    return { message: "The draft is deleted." };
  },
  "admin/posts/add-image": async (services, { scope }, { bytes }) => ({
    headerImg: (await addImage(services, scope, bytes, headerShape)).address,
  }),
  "admin/posts/add-text-image": (services, { scope }, { bytes }) => addImage(services, scope, bytes, textShape),
} satisfies Partial<Handlers>;
