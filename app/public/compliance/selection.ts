/** The two kinds of entries; certifications.json and the style sheet use the same ids. */
export const kinds = [
  { id: "cloud infrastructure", label: "Cloud infrastructure", card: "Cloud infrastructure" },
  { id: "framework reports map to", label: "Frameworks our reports map to", card: "Framework reports map to" },
] as const;

/** The regions to choose from. An entry's own region, such as "Germany · automotive", starts with one of `begins`. */
export const regions = [
  { id: "global", label: "Global", begins: ["Global"] },
  { id: "india", label: "India", begins: ["India"] },
  { id: "uae", label: "United Arab Emirates", begins: ["United Arab Emirates"] },
  { id: "europe", label: "Europe", begins: ["European Union", "Germany", "Spain", "United Kingdom"] },
  { id: "us", label: "United States", begins: ["United States"] },
  { id: "asia-pacific", label: "Asia-Pacific", begins: ["Australia", "Singapore"] },
] as const;

export function regionOf(region: string): string | undefined {
  return regions.find(({ begins }) => begins.some((start) => region.startsWith(start)))?.id;
}
