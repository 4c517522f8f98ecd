/** The pictures that a tile may have, each as public/images/tile-NAME.svg, as people choose them. */
export const tileIcons = {
  report: "Report",
  ticket: "Ticket",
  guide: "Guide",
  people: "People",
  calendar: "Calendar",
  status: "Status",
} as const;
export type TileIcon = keyof typeof tileIcons;

export const tileImage = (icon: TileIcon | "siem" | "soar") => `/images/tile-${icon}.svg`;
