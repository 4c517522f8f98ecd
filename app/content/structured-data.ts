import { brand } from "../../contract/brand.ts";

/** Structured data of schema.org for search engines: the company, the service and a page's place on the site. */
const schema = "https://schema.org";

/** Refers to the company within the same data. `address` is the site's. */
const organizationId = (address: string) => `${address}/#organization`;

export function organization(address: string) {
  return {
    "@context": schema,
    "@type": "Organization",
    "@id": organizationId(address),
    name: brand.name,
    legalName: brand.legalName,
    url: address,
    logo: `${address}/icons/512.png`,
    email: brand.emails.sales,
    address: brand.address,
    ...(brand.isSample && { description: "Sample company: it does not exist." }),
    contactPoint: brand.phones.map((telephone) => ({ "@type": "ContactPoint", contactType: "sales", telephone })),
  };
}

export function service(address: string) {
  return {
    "@context": schema,
    "@type": "Service",
    name: `${brand.name} managed security operations centre`,
    serviceType: "Managed security operations centre",
    description:
      "24x7 monitoring, threat detection and incident response with SIEM, SOAR and UEBA, by subscription, priced by device.",
    provider: { "@id": organizationId(address), "@type": "Organization", name: brand.name, url: address },
    areaServed: ["IN", "AE"],
    url: `${address}/ServiceDelivery`,
    termsOfService: `${address}/privacy-policy#terms`,
  };
}

/** The path from the home page down to the page itself, which comes last. */
export function breadcrumbs(address: string, below: { name: string; path: string }[]) {
  return {
    "@context": schema,
    "@type": "BreadcrumbList",
    itemListElement: [{ name: "Home", path: "/" }, ...below].map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: address + path,
    })),
  };
}
