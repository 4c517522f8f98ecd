import sanitizeHtml from "sanitize-html";

const ownAddress = /^\/(?![/\\])[\w./#?=&%-]*$/;
const outsideAddress = /^https:\/\//i;

/** The HTML a post may consist of: no style, class, script, frame or form, links by https or within the site, own images. */
const allowed: sanitizeHtml.IOptions = {
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
    img: (tagName, { src = "", alt = "", width, height }) => ({
      tagName,
      attribs: {
        src: ownAddress.test(src) ? src : "",
        alt,
        ...(/^\d{1,4}$/.test(width ?? "") && { width: String(width) }),
        ...(/^\d{1,4}$/.test(height ?? "") && { height: String(height) }),
        loading: "lazy",
      },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && !attribs["src"],
};

function linkAttributes(href: string): sanitizeHtml.Attributes {
  if (outsideAddress.test(href)) return { href, rel: "noopener" };
  return ownAddress.test(href) ? { href } : {};
}

/** HTML that is safe to show as it is; what is not allowed is left out, its text stays. */
export function sanitise(html: string): string {
  return sanitizeHtml(html, allowed);
}

/** The words a reader sees. */
export function textOf(html: string): string {
  return sanitizeHtml(html.replace(/<\//g, " </"), { allowedTags: [], allowedAttributes: {} })
    .replace(/\s+/g, " ")
    .trim();
}
