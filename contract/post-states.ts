/** unpublished: visitors could read it once, and can't any more. */
export const postStates = ["draft", "scheduled", "published", "unpublished"] as const;
export type PostState = (typeof postStates)[number];

/** Widths in pixels in which each image is stored; a header image is two fifths as high. */
export const pictureWidths = [480, 960, 1440] as const;
export const pictureForms = ["avif", "webp"] as const;

const pictureId = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
const uploaded = new RegExp(`^/images/articles/(${pictureId})-1440\\.webp$`);
const named = new RegExp(`/images/articles/(${pictureId})-`, "g");
const shipped = /^\/images\/blog\/[a-z\d-]+\.svg$/;

/**
 * The id of an uploaded image, from the address under which articles name it; null for one shipped with the product.
 */
export const pictureIdOf = (headerImg: string): string | null => uploaded.exec(headerImg)?.[1] ?? null;

/** The ids of all uploaded images that a text names. */
export const pictureIdsIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(named), ([, id = ""]) => id)),
];

/** The ids of all uploaded images that an article shows, above its text and in it. */
export const pictureIdsOf = ({ headerImg, markdown }: { headerImg: string; markdown: string }): string[] =>
  pictureIdsIn(`${headerImg} ${markdown}`);

export const isPictureAddress = (path: string) => uploaded.test(path) || shipped.test(path);

/** /images/articles/ID-960.avif */
export const pictureAddress = (id: string, width: number, form: (typeof pictureForms)[number]) =>
  `/images/articles/${id}-${width}.${form}`;

/** The image's name in the file store. */
export const pictureFile = (id: string, width: number, form: (typeof pictureForms)[number]) =>
  `article-${id}-${width}.${form}`;

interface Readable {
  title: string;
  slug: string;
  author: string;
  excerpt: string;
  markdown: string;
  tags: readonly string[];
  headerImg: string;
  headerAlt: string;
}

/** Error messages of the fields that even a draft needs. */
export const draftNeeds = {
  title: "Please give the article a title",
  slug: "Please choose an address",
  author: "Please say who wrote it",
} as const;

/** What is missing before visitors may read it: a sentence for each field. */
export function missingIn(post: Readable): Record<string, string> {
  const { title, slug, author, excerpt, markdown, tags, headerImg, headerAlt } = post;
  return {
    ...(!title.trim() && { title: draftNeeds.title }),
    ...(!slug && { slug: draftNeeds.slug }),
    ...(!author.trim() && { author: draftNeeds.author }),
    ...(!excerpt.trim() && { excerpt: "Please say in a sentence what the article is about" }),
    ...(!markdown.trim() && { markdown: "Please write the article" }),
    ...(tags.length === 0 && { tags: "Please give it at least one tag" }),
    ...(!headerImg && { headerImg: "Please upload a header image" }),
    ...(headerImg && !headerAlt.trim() && { headerAlt: "Please say what the image shows, for who can't see it" }),
  };
}
