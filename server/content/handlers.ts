import { contentMessages } from "../../contract/content-messages.ts";
import type { LogQuery } from "../../contract/content.ts";
import { messages } from "../../contract/messages.ts";
import type { Call, Handlers } from "../call.ts";
import type { Services } from "../services.ts";
import { addLogSource, changeLogSource, listAllLogSources, retireLogSource } from "./edit-log-sources.ts";
import { importLogSources, previewImport } from "./import-log-sources.ts";
import { searchLogSources } from "./log-search.ts";
import { countLogSources, listCategories, listLogSources } from "./log-sources.ts";
import { findPost, listPosts } from "./posts.ts";
import { addProof, changeProof, isExpired, listProofs, listShownProofs, orderProofs, removeProof } from "./proofs.ts";
import { findSiteSettings, listTextVersions, previewTexts, restoreTexts, saveTexts } from "./site-settings.ts";

export const contentHandlers = {
  blogs: (services, _call, page) => listPosts(services, page),
  "blogs/{idKey}": (services, _call, { idKey }) => findPost(services, idKey),
  "logs/categories": (services) => listCategories(services),
  "logs/count": (services) => countLogSources(services),
  logs: findLogSources,
  proofs: (services) => listShownProofs(services),
  "admin/settings/proofs": async (services, { scope }) => ({ proofs: await listProofs(services, scope) }),
  "admin/settings/proofs/add": async (services, { scope }, proof) => ({
    id: await addProof(services, scope, proof),
    message: isExpired(proof, services.now()) ? contentMessages.proofExpired : messages.proofAdded,
  }),
  "admin/settings/proofs/change": async (services, { scope }, proof) => {
    await changeProof(services, scope, proof);
    return { message: isExpired(proof, services.now()) ? contentMessages.proofExpired : messages.proofChanged };
  },
  "admin/settings/proofs/remove": async (services, { scope }, seen) => {
    await removeProof(services, scope, seen);
    return { message: messages.proofRemoved };
  },
  "admin/settings/proofs/order": async (services, { scope }, { ids }) => {
    await orderProofs(services, scope, ids);
    return { message: messages.proofsOrdered };
  },
  "logs/search": findLogSources,
  "admin/log-sources": (services, { scope }, query) => listAllLogSources(services, scope, query),
  "admin/log-sources/add": async (services, { scope }, source) => ({
    id: await addLogSource(services, scope, source),
    message: contentMessages.logSourceAdded,
  }),
  "admin/log-sources/change": async (services, { scope }, source) => {
    await changeLogSource(services, scope, source);
    return { message: contentMessages.logSourceChanged };
  },
  "admin/log-sources/retire": async (services, { scope }, seen) => {
    await retireLogSource(services, scope, seen);
    return { message: seen.retired ? contentMessages.logSourceRetired : contentMessages.logSourceRestored };
  },
  "admin/log-sources/preview": (services, { scope }, file) => previewImport(services, scope, file),
  "admin/log-sources/import": async (services, { scope }, file) => ({
    message: await importLogSources(services, scope, file),
  }),
  "admin/settings": (services, { scope }) => findSiteSettings(services, scope),
  "admin/settings/history": async (services, { scope }, { section }) => ({
    versions: await listTextVersions(services, scope, section),
  }),
  "admin/settings/preview": (services, { scope }, written) => previewTexts(services, scope, written),
  "admin/settings/save": async (services, { scope }, saved) => ({
    version: await saveTexts(services, scope, saved),
    message: contentMessages.textsSaved,
  }),
  "admin/settings/restore": async (services, { scope }, restored) => ({
    version: await restoreTexts(services, scope, restored),
    message: contentMessages.textsRestored,
  }),
} satisfies Partial<Handlers>;

/** Both operations take both queries: a text searches, none lists. */
function findLogSources(services: Services, _call: Call, query: LogQuery) {
  return query.searchQuery ? searchLogSources(services.database, query) : listLogSources(services, query);
}
