/** The icons that a tile may have, each as public/images/tile-NAME.svg, with the labels to choose them by. */
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
