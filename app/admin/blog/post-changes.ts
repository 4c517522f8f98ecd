import type { PostContent } from "../../../contract/posts.ts";

export type Field = keyof PostContent;

/** The fields' names on the screen. */
export const fieldNames: Record<Field, string> = {
  title: "Title",
  slug: "Address",
  excerpt: "Excerpt",
  markdown: "Text",
  tags: "Tags",
  author: "Written by",
  headerImg: "Header image",
  headerAlt: "What the image shows",
};

export const fields = Object.keys(fieldNames) as Field[];

const isSameField = (field: Field, one: PostContent, other: PostContent) =>
  JSON.stringify(one[field]) === JSON.stringify(other[field]);

/** The fields in which two contents differ. */
export const changesBetween = (one: PostContent, other: PostContent): Field[] =>
  fields.filter((field) => !isSameField(field, one, other));

/**
 * Three-way merge with what somebody else saved during the edit: their value where nothing was typed, mine elsewhere.
 * `both` are the fields that both changed.
 */
export function mergePosts(
  base: PostContent,
  mine: PostContent,
  theirs: PostContent,
): { merged: PostContent; both: Field[] } {
  const typed = changesBetween(base, mine);
  const both = changesBetween(base, theirs).filter(
    (field) => typed.includes(field) && !isSameField(field, mine, theirs),
  );
  return { merged: { ...theirs, ...only(mine, typed) }, both };
}

const only = (content: PostContent, kept: Field[]): Partial<PostContent> =>
  Object.fromEntries(kept.map((field) => [field, content[field]]));

/** A field as one text, for comparison. */
export const textOfField = (field: Field, content: PostContent): string =>
  field === "tags" ? content.tags.join(", ") : content[field];

/** An address made from a title: "What's new, 2026?" becomes whats-new-2026. A long one ends with a whole word. */
export function slugOf(title: string, lengthMax: number): string {
  const plain = title
    .normalize("NFKD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase();
  const words = plain.replace(/[^a-z\d]+/g, "-").replace(/^-+|-+$/g, "");
  if (words.length <= lengthMax) return words;
  const end = words.lastIndexOf("-", lengthMax);
  return words.slice(0, end > 0 ? end : lengthMax);
}
