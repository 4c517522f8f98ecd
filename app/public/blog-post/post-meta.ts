import type { MetaDescriptor } from "react-router";
import { brand } from "../../../contract/brand.ts";
import type { BlogPost } from "../../../contract/content.ts";
import { cardSize, postCardFile, postPicture } from "../../content/social-cards.ts";
import { siteAddress, socialMeta } from "../../content/page-meta.ts";
import { breadcrumbs } from "../../content/structured-data.ts";

/** Metadata of a post for social networks and search engines. */
export function postMeta(post: BlogPost): MetaDescriptor[] {
  const { idKey, title, excerpt: description } = post;
  const address = siteAddress();
  const url = `${address}/blog/${idKey}`;
  const path = postPicture(post);
  const picture = { path, alt: title, ...(path === postCardFile(idKey) && cardSize) };
  return [
    { title: `${title} – ${brand.name}` },
    { name: "description", content: description },
    { name: "author", content: post.updated_by },
    ...socialMeta({ url, title, description, picture, type: "article" }),
    { property: "article:published_time", content: post.created_at },
    { property: "article:author", content: post.updated_by },
    ...post.tags.map((tag) => ({ property: "article:tag", content: tag })),
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        headline: title,
        description,
        image: [address + path, address + post.headerImg],
        datePublished: post.created_at,
        author: { "@type": "Organization", name: post.updated_by, url: address },
        publisher: { "@type": "Organization", name: brand.name, url: address },
        mainEntityOfPage: url,
        keywords: post.tags.join(", "),
        timeRequired: `PT${post.reading_minutes}M`,
        inLanguage: "en-IN",
      },
    },
    {
      "script:ld+json": breadcrumbs(address, [
        { name: "Blog", path: "/blog" },
        { name: title, path: `/blog/${idKey}` },
      ]),
    },
  ];
}
