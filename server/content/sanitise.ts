import sanitizeHtml from "sanitize-html";
import { pictureAddress, pictureIdsIn } from "../../contract/post-states.ts";

/** What came with the product, or was uploaded: nothing else is shown as an image, also no other address of the site. */
const ownImage = /^\/images\/(?!.*\.\.)[\w./-]+\.(?:svg|png|webp|avif|jpg)$/;
const ownAddress = /^\/(?![/\\])[\w./#?=&%-]*$/;
const outsideAddress = /^https:\/\//i;

/** Of uploaded images, by their ids, in pixels. */
export type ImageSizes = ReadonlyMap<string, { width: number; height: number }>;

/** The HTML a post may consist of: no style, class, script, frame or form, links by https or within the site, own images. */
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
  // What stands in these is no text to read: it goes with them.
  nonTextTags: [
    "script style noscript template textarea option xmp title noembed noframes".split(" "),
    "svg math iframe object embed plaintext".split(" "),
  ].flat(),
  nestingLimit: 30,
  transformTags: {
    // The page has its own first heading.
    h1: "h2",
    b: "strong",
    i: "em",
    a: (tagName, { href = "" }) => ({ tagName, attribs: linkAttributes(href) }),
    img: (tagName, attribs) => ({ tagName, attribs: imageAttributes(attribs, sizes) }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && !attribs["src"],
});

/** An uploaded image has the size that it is known by; one that is not known is not there. */
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

/** HTML that is safe to show as it is; what is not allowed is left out, its text stays. */
export function sanitise(html: string, sizes: ImageSizes = new Map()): string {
  return sanitizeHtml(html, allowed(sizes));
}

/** Every image that a text would have, shown or not. */
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

/** The words a reader sees. */
export function textOf(html: string): string {
  return sanitizeHtml(html.replace(/<\//g, " </"), { allowedTags: [], allowedAttributes: {} })
    .replace(/\s+/g, " ")
    .trim();
}
