import { z } from "zod";
import { Instant, SearchText } from "./fields.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";

/** Index of the first item wanted; a page of results starts where the one before it ended. */
const startingNode = z.number().int().min(0).max(limits.startingNodeMax).default(0);

export const BlogListQuery = z.object({
  startingNode,
  limit: z.number().int().min(1).max(limits.blogPageMax).default(limits.blogPage),
});

export const BlogSummary = z.object({
  /** The post's address under /blog. */
  idKey: z.string(),
  title: z.string(),
  headerImg: z.string(),
  /** Describes the image; empty where it adds nothing to the title. */
  headerAlt: z.string(),
  excerpt: z.string(),
  tags: z.array(z.string()),
  updated_by: z.string(),
  created_at: Instant,
  reading_minutes: z.number().int(),
});
export type BlogSummary = z.infer<typeof BlogSummary>;

/** `content` is HTML that was sanitised when it was written. */
export const BlogPost = BlogSummary.extend({ content: z.string() });
export type BlogPost = z.infer<typeof BlogPost>;

/** No categories means all of them; an empty searchQuery means the whole catalogue. */
export const LogQuery = z.object({
  searchQuery: SearchText.default(""),
  categories: z.array(SearchText).max(limits.categoriesMax).default([]),
  startingNode,
  limit: z.number().int().min(1).max(limits.cataloguePageMax).default(limits.cataloguePage),
});
export type LogQuery = z.output<typeof LogQuery>;

export const LogSource = z.object({
  id: z.uuid(),
  Product: z.string(),
  Category: z.string(),
  label: z.string(),
  Format: z.string(),
});
export type LogSource = z.infer<typeof LogSource>;

/** How many sources the catalogue has, and in how many categories. */
export const LogCount = z.object({ sources: z.number().int(), categories: z.number().int() });
export type LogCount = z.infer<typeof LogCount>;

export const contentOperations = {
  blogs: operation({
    method: "post",
    summary: "Blog posts, newest first, without their content",
    input: BlogListQuery,
    answer: z.array(BlogSummary),
  }),
  "blogs/{idKey}": operation({
    method: "get",
    summary: "One blog post",
    input: z.object({ idKey: z.string() }),
    answer: BlogPost,
  }),
  "logs/categories": operation({
    method: "get",
    summary: "The categories of the log sources, by name",
    input: z.object({}),
    answer: z.array(z.string()),
  }),
  "logs/count": operation({
    method: "get",
    summary: "How many log sources there are, and in how many categories",
    input: z.object({}),
    answer: LogCount,
  }),
  logs: operation({
    method: "post",
    summary: "Log sources by category and product",
    input: LogQuery,
    answer: z.array(LogSource),
  }),
  "logs/search": operation({
    method: "post",
    summary: "Log sources that fit a text, best first; small typing errors are forgiven",
    input: LogQuery,
    answer: z.array(LogSource),
  }),
};
