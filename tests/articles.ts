import type { PostContent } from "../contract/posts.ts";

/** What an editor types for an article that visitors may read. */
export const article = (over: Partial<PostContent> | object = {}): PostContent => ({
  title: "An article of a test",
  slug: "an-article",
  excerpt: "What it says in one sentence.",
  markdown: "The lead.",
  tags: ["SOC"],
  author: "Asha Rao",
  headerImg: "/images/blog/soc-tiers-explained.svg",
  headerAlt: "A stair of three steps",
  ...over,
});
