import type { MetaDescriptor } from "react-router";
import { brand } from "../../../contract/brand.ts";
import type { BlogPost } from "../../../contract/content.ts";

const card = { path: "/images/social-card.png", width: "1200", height: "630" };

/** What networks and search engines show of a post. `origin` is the site's, without a slash at its end. */
export function postMeta(post: BlogPost, origin: string): MetaDescriptor[] {
  const title = `${post.title} – ${brand.name}`;
  const url = `${origin}/blog/${post.idKey}`;
  // Networks take no SVG, so they get the site's own card rather than the header image.
  const image = origin + card.path;
  return [
    { title },
    { name: "description", content: post.excerpt },
    { name: "author", content: post.updated_by },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:type", content: "article" },
    { property: "og:site_name", content: brand.name },
    { property: "og:locale", content: "en_IN" },
    { property: "og:title", content: post.title },
    { property: "og:description", content: post.excerpt },
    { property: "og:url", content: url },
    { property: "og:image", content: image },
    { property: "og:image:width", content: card.width },
    { property: "og:image:height", content: card.height },
    { property: "og:image:alt", content: brand.name },
    { property: "article:published_time", content: post.created_at },
    { property: "article:author", content: post.updated_by },
    ...post.tags.map((tag) => ({ property: "article:tag", content: tag })),
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: post.title },
    { name: "twitter:description", content: post.excerpt },
    { name: "twitter:image", content: image },
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        headline: post.title,
        description: post.excerpt,
        image: [image, origin + post.headerImg],
        datePublished: post.created_at,
        author: { "@type": "Organization", name: post.updated_by, url: origin },
        publisher: { "@type": "Organization", name: brand.name, url: origin },
        mainEntityOfPage: url,
        keywords: post.tags.join(", "),
        timeRequired: `PT${post.reading_minutes}M`,
        inLanguage: "en-IN",
      },
    },
  ];
}
