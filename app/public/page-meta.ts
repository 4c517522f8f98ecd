import { brand } from "../../contract/brand.ts";

/**
 * Title, description and social card of a public page; `title` is as search engines show it.
 * Without canonical and og:url: both want the absolute address, which is not known when the page is built.
 */
export function pageMeta(title: string, description: string, type: "website" | "article" = "website") {
  return [
    { title },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: type },
    { property: "og:site_name", content: brand.name },
  ];
}
