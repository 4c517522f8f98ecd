import type { LogQuery } from "../../contract/content.ts";
import type { Call, Handlers } from "../call.ts";
import type { Services } from "../services.ts";
import { searchLogSources } from "./log-search.ts";
import { countLogSources, listCategories, listLogSources } from "./log-sources.ts";
import { findPost, listPosts } from "./posts.ts";

export const contentHandlers = {
  blogs: (services, _call, page) => listPosts(services, page),
  "blogs/{idKey}": (services, _call, { idKey }) => findPost(services, idKey),
  "logs/categories": (services) => listCategories(services),
  "logs/count": (services) => countLogSources(services),
  logs: findLogSources,
  "logs/search": findLogSources,
} satisfies Partial<Handlers>;

/** Both addresses answer both: what counts is whether there is a text to look for. */
function findLogSources(services: Services, _call: Call, query: LogQuery) {
  return query.searchQuery ? searchLogSources(services.database, query) : listLogSources(services, query);
}
