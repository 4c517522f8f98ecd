import { brand } from "../../contract/brand.ts";
import { addressMark } from "../../contract/site-address.ts";
import { type CardPath, cardSize, pageCardFile, pageCards } from "./social-cards.ts";
import { breadcrumbs } from "./structured-data.ts";

/** The site's address, without a trailing slash. */
export const siteAddress = () => (typeof document === "undefined" ? addressMark : location.origin);

/** Title, description, address and social card of a public page; `title` is what search engines show. */
export function pageMeta(path: CardPath, title: string, description: string) {
  const address = siteAddress();
  const picture = { path: pageCardFile(path), alt: `${pageCards[path].title}. ${pageCards[path].line}`, ...cardSize };
  const name = title.split(" – ")[0] ?? title;
  return [
    { title },
    { name: "description", content: description },
    ...socialMeta({ url: address + path, title, description, picture, type: "website" }),
    ...(path === "/" ? [] : [{ "script:ld+json": breadcrumbs(address, [{ name, path }]) }]),
  ];
}

/** Metadata of a page that search engines should not list: its title, and its address without the query. */
export function unlistedMeta(path: string, title: string) {
  return [
    { title },
    { name: "robots", content: "noindex" },
    { tagName: "link", rel: "canonical", href: siteAddress() + path },
  ];
}

interface Shown {
  url: string;
  title: string;
  description: string;
  picture: { path: string; alt: string; width?: number; height?: number };
  type: "website" | "article";
}

/** The metadata that social networks show for a link to the page. */
export function socialMeta({ url, title, description, picture, type }: Shown) {
  const image = siteAddress() + picture.path;
  return [
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:type", content: type },
    { property: "og:site_name", content: brand.name },
    { property: "og:locale", content: "en_IN" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: image },
    ...(picture.width && picture.height
      ? [
          { property: "og:image:width", content: String(picture.width) },
          { property: "og:image:height", content: String(picture.height) },
        ]
      : []),
    { property: "og:image:alt", content: picture.alt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image },
    { name: "twitter:image:alt", content: picture.alt },
  ];
}
