import sanitizeHtml from "sanitize-html";
import { pictureAddress, pictureIdsIn } from "../../contract/post-states.ts";

/**
 * Images shipped with the product or uploaded: nothing else is shown as an image, no other address of the site either.
 */
const ownImage = /^\/images\/(?!.*\.\.)[\w./-]+\.(?:svg|png|webp|avif|jpg)$/;
const ownAddress = /^\/(?![/\\])[\w./#?=&%-]*$/;
const outsideAddress = /^https:\/\//i;

/** Sizes of uploaded images in pixels, by id. */
export type ImageSizes = ReadonlyMap<string, { width: number; height: number }>;

/**
 * The HTML allowed in a post: no style, class, script, frame or form; links by https or within the site; own images
 * only.
 */
const allowed = (sizes: ImageSizes): sanitizeHtml.IOptions => ({
  allowedTags: [
    "h2 h3 h4 p br hr strong em a code pre blockquote ul ol li".split(" "),
    "table caption thead tbody tr th td figure figcaption img".split(" "),
  ].flat(),
  allowedAttributes: {
    a: ["href", "rel"],
    img: ["src", "alt", "width", "height", "loading"],
    ol: ["start"],
    th: ["scope", "colspan", "rowspan"],
    td: ["colspan", "rowspan"],
  },
  allowedSchemes: ["https"],
  allowedSchemesAppliedToAttributes: ["href", "src"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  // Their content is not readable text, so it is removed with them.
  nonTextTags: [
    "script style noscript template textarea option xmp title noembed noframes".split(" "),
    "svg math iframe object embed plaintext".split(" "),
  ].flat(),
  nestingLimit: 30,
  transformTags: {
    // The page already has its own h1.
    h1: "h2",
    b: "strong",
    i: "em",
    a: (tagName, { href = "" }) => ({ tagName, attribs: linkAttributes(href) }),
    img: (tagName, attribs) => ({ tagName, attribs: imageAttributes(attribs, sizes) }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && !attribs["src"],
});

/** An uploaded image gets its known size; an unknown one is dropped. */
function imageAttributes(
  { src = "", alt = "", width, height }: sanitizeHtml.Attributes,
  sizes: ImageSizes,
): sanitizeHtml.Attributes {
  const [id] = pictureIdsIn(src);
  const size = id === undefined ? { width, height } : sizes.get(id);
  if (!isOwnImage(src) || !size) return { src: "" };
  return {
    src: id === undefined ? src : pictureAddress(id, 1440, "webp"),
    alt,
    ...(/^\d{1,4}$/.test(String(size.width)) && { width: String(size.width) }),
    ...(/^\d{1,4}$/.test(String(size.height)) && { height: String(size.height) }),
    loading: "lazy",
  };
}

export const isOwnImage = (src: string): boolean => ownImage.test(src);

function linkAttributes(href: string): sanitizeHtml.Attributes {
  if (outsideAddress.test(href)) return { href, rel: "noopener" };
  return ownAddress.test(href) ? { href } : {};
}

/** HTML that is safe to show; tags that are not allowed are removed, their text stays. */
export function sanitise(html: string, sizes: ImageSizes = new Map()): string {
  return sanitizeHtml(html, allowed(sizes));
}

/** Every image in a text, whether or not it would be shown. */
export function imagesIn(html: string): { src: string; alt: string }[] {
  const found: { src: string; alt: string }[] = [];
  sanitizeHtml(html, {
    ...allowed(new Map()),
    transformTags: {
      img(tagName, { src = "", alt = "" }) {
        found.push({ src, alt });
        return { tagName, attribs: {} };
      },
    },
  });
  return found;
}

/** The text that a reader sees. */
export function textOf(html: string): string {
  return sanitizeHtml(html.replace(/<\//g, " </"), { allowedTags: [], allowedAttributes: {} })
    .replace(/\s+/g, " ")
    .trim();
}
