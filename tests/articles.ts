import type { PostContent } from "../contract/posts.ts";

/** An editor's input for an article that is ready to publish. */
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
