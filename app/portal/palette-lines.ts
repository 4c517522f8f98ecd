import { type Found, foundKinds, type FoundKind } from "../../contract/palette.ts";
import type { Destination } from "./palette-button.tsx";
import type { Opened } from "./recently-opened.ts";

export interface Line extends Opened {
  key: string;
}

export interface LineGroup {
  label: string;
  lines: Line[];
}

const labels: Record<FoundKind, string> = {
  number: "By this number",
  customer: "Customers",
  partner: "Partners",
  lead: "Leads",
  quote: "Quotes",
  order: "Orders and invoices",
  contract: "Contracts",
  incident: "Incidents",
};

/** The palette's lines in groups: without a search the recent entries and the screens, with one the matches. */
export function linesOf({
  typed,
  screens,
  recent,
  found,
}: {
  typed: string;
  screens: readonly Destination[];
  recent: readonly Opened[];
  found: readonly Found[];
}): LineGroup[] {
  const words = typed.trim().toLowerCase();
  const fitting = screens.filter(({ label }) => label.toLowerCase().includes(words));
  const screenLines = {
    label: "Screens",
    lines: fitting.map(({ to, label }) => ({ key: `screen-${to}`, title: label, detail: "", path: to })),
  };
  const recentLines = {
    label: "Opened last",
    lines: recent.map((each) => ({ ...each, key: `recent-${each.path}` })),
  };
  const foundLines = foundKinds.map((kind) => ({
    label: labels[kind],
    lines: found
      .filter((each) => each.kind === kind)
      .map(({ id, title, detail, path }) => ({ key: `${kind}-${id}`, title, detail, path })),
  }));
  const [numbers, ...others] = foundLines;
  const all = words === "" ? [recentLines, screenLines] : [...(numbers ? [numbers] : []), screenLines, ...others];
  return all.filter(({ lines }) => lines.length > 0);
}
