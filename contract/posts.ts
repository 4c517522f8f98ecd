import { z } from "zod";
import { BlogPost } from "./content.ts";
import { Instant, line, Message } from "./fields.ts";
import { formatCount } from "./format-count.ts";
import { limits } from "./limits.ts";
import { listOf, listPage, type ListQuery, type SortOf } from "./lists.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";
import { faultOf } from "./plain-text.ts";
import { draftNeeds, isPictureAddress, postStates } from "./post-states.ts";

const emptyOrLine = (max: number) =>
  z.union([z.literal(""), line(max)], `Please use one line of at most ${max} characters`);

const longWord = new RegExp(`\\S{${limits.wordLengthMax + 1}}`);

/** Markdown exactly as typed, because two spaces at the end of a line have a meaning there. */
const Markdown = z
  .string()
  .max(limits.articleLengthMax, `Please use at most ${formatCount(limits.articleLengthMax)} characters`)
  .overwrite((text) => text.replaceAll(/\r\n?/g, "\n").normalize("NFC"))
  .regex(/^(?:[\t\n]|\P{Cc})*$/u, "Please remove control characters")
  // The renderer's work on one word grows steeply with its length.
  .refine(
    (text) => !longWord.test(text),
    `Please put a space into what is longer than ${formatCount(limits.wordLengthMax)} characters without one`,
  )
  .superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault) context.addIssue({ code: "custom", message: fault });
  });

/** The content of a post. A draft needs only a title and an address; publishing needs every field. */
export const PostContent = z.object({
  title: line(limits.articleTitleLengthMax, draftNeeds.title),
  /** Its address under /blog. */
  slug: z
    .string(draftNeeds.slug)
    .max(limits.slugLengthMax, `Please use at most ${limits.slugLengthMax} characters`)
    .regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, "Please use lower-case letters and digits, with hyphens between the words"),
  /** One or two sentences for the list, the feed and search engines. */
  excerpt: emptyOrLine(limits.excerptLengthMax),
  markdown: Markdown,
  tags: z
    .array(line(limits.tagLengthMax))
    .max(limits.articleTagsMax, `Please use at most ${limits.articleTagsMax} tags`)
    .refine((tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length, "A tag stands there twice"),
  /** Shown after "Written by". */
  author: line(limits.fullNameLengthMax, draftNeeds.author),
  /** The address of an image that was uploaded or shipped with the product; empty for none. */
  headerImg: z.string().refine((path) => path === "" || isPictureAddress(path), "Please upload an image"),
  /** Describes the image for readers who can't see it. */
  headerAlt: emptyOrLine(limits.altLengthMax),
});
export type PostContent = z.infer<typeof PostContent>;

/** The content as saved: versions older than a validation rule are still answered. */
const SavedContent = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  markdown: z.string(),
  tags: z.array(z.string()),
  author: z.string(),
  headerImg: z.string(),
  headerAlt: z.string(),
}) satisfies z.ZodType<PostContent>;

export const PostState = z.enum(postStates);

export const PostRow = z.object({
  id: z.uuid(),
  state: PostState,
  title: z.string(),
  slug: z.string(),
  author: z.string(),
  tags: z.array(z.string()),
  /** The saved content differs from what visitors read. */
  has_changes: z.boolean(),
  /** When it was first published, or will be; null for a draft. */
  published_at: Instant.nullable(),
  updated_at: Instant,
  updated_by: z.string().nullable(),
});
export type PostRow = z.infer<typeof PostRow>;

export const postList = listOf(PostRow, {
  sorts: ["updated_at", "title", "author"],
  named: {},
  searched: ["title", "slug", "author"],
});
export type PostSort = SortOf<typeof postList>;

const PostFilters = z.object({ state: PostState.optional(), tag: line(limits.tagLengthMax).optional() });
export const PostQuery = postList.query.extend(PostFilters.shape);
export type PostQuery = ListQuery<PostSort> & z.infer<typeof PostFilters>;

const PostVersion = z.object({
  version: z.number().int(),
  saved_at: Instant,
  /** Null for shipped content, and for people who have left. */
  saved_by: z.string().nullable(),
  title: z.string(),
  /** This is the version that visitors read. */
  published: z.boolean(),
});
export type PostVersion = z.infer<typeof PostVersion>;

export const Post = PostRow.extend({
  /** Counts all changes: a change names the version that it was made from. */
  version: z.number().int(),
  content: SavedContent,
  /** Newest first, the latest hundred. */
  versions: z.array(PostVersion),
});
export type Post = z.infer<typeof Post>;

/** `version` as it was read: 409 when somebody has changed the post meanwhile. */
const Seen = z.object({ id: z.uuid(), version: z.number().int().min(1) });
const Changed = Message.extend({ version: z.number().int() });

/** Larger than for other calls, to fit a text of the maximum length in any script. */
const bodyBytesMax = limits.articleBodyBytesMax;

export const postOperations = {
  "admin/posts": operation({
    method: "get",
    summary: `Articles of the blog in every state, the last changed first; narrowed by state and tag. ${postList.summary}`,
    input: PostQuery,
    answer: z.object({ posts: z.array(PostRow), ...listPage }),
  }),
  "admin/posts/post": operation({
    method: "get",
    summary: "An article as it was saved last, with its earlier versions",
    input: z.object({ id: z.uuid() }),
    answer: Post,
  }),
  "admin/posts/version": operation({
    method: "get",
    summary: "An article as it was saved once",
    input: z.object({ id: z.uuid(), version: z.coerce.number().int().min(1).max(limits.versionMax) }),
    answer: PostVersion.extend({ content: SavedContent }),
  }),
  "admin/posts/words": operation({
    method: "get",
    summary: "The tags and authors that articles have",
    input: z.object({}),
    answer: z.object({ tags: z.array(z.string()), authors: z.array(z.string()) }),
  }),
  "admin/posts/preview": operation({
    method: "get",
    summary: "An article as visitors would read what was saved last",
    input: z.object({ id: z.uuid() }),
    answer: BlogPost,
  }),
  "admin/posts/add": operation({
    method: "post",
    summary: "Begin an article; it is a draft until it is published",
    input: PostContent,
    answer: Changed.extend({ id: z.uuid() }),
    status: 201,
    bodyBytesMax,
  }),
  "admin/posts/save": operation({
    method: "post",
    summary: "Save an article; what visitors read changes when it is published",
    input: Seen.extend({ content: PostContent }),
    answer: Changed,
    bodyBytesMax,
  }),
  "admin/posts/restore": operation({
    method: "post",
    summary: "Save an earlier version (`restored`) as the newest one",
    input: Seen.extend({ restored: z.number().int().min(1).max(limits.versionMax) }),
    answer: Changed,
  }),
  "admin/posts/publish": operation({
    method: "post",
    summary: "Show visitors what was saved last, at once or from a time to come (`at`)",
    input: Seen.extend({ at: z.iso.datetime({ error: messages.timeMissing }).nullable() }),
    answer: Changed,
  }),
  "admin/posts/unpublish": operation({
    method: "post",
    summary: "Take an article off the site, or off the schedule",
    input: Seen,
    answer: Changed,
  }),
  "admin/posts/remove": operation({
    method: "post",
    summary: "Delete a draft that was never published, with its versions and the images that nothing else uses",
    input: Seen,
    answer: Message,
  }),
  "admin/posts/add-image": operation({
    method: "post",
    summary: `Upload a header image: JPEG, PNG, WebP or AVIF of at most ${limits.imageBytesMax / 1024 ** 2} MB, as the body`,
    input: z.object({ bytes: z.instanceof(Uint8Array) }),
    answer: z.object({ headerImg: z.string() }),
    status: 201,
    bodyBytesMax: limits.imageBytesMax,
    takes: "file",
  }),
  "admin/posts/add-text-image": operation({
    method: "post",
    summary: `Upload an image for an article's text: JPEG, PNG, WebP or AVIF of at most ${limits.imageBytesMax / 1024 ** 2} MB, as the body`,
    input: z.object({ bytes: z.instanceof(Uint8Array) }),
    /** The address for the Markdown, and the largest size at which the image is shown. */
    answer: z.object({ address: z.string(), width: z.number().int(), height: z.number().int() }),
    status: 201,
    bodyBytesMax: limits.imageBytesMax,
    takes: "file",
  }),
};
