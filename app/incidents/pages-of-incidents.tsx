import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { useAddress } from "../lists/use-address.ts";

export const alertsTitle = "What became of every alert";
export const alertsHint =
  "A finding is what a rule saw. It is never an incident by itself; here stands what we made of each.";

const pages = [
  { value: "incidents", label: "Incidents" },
  { value: "findings", label: alertsTitle },
] as const;

/** Switches between the two pages; the address holds the choice, so that it can be linked and survives a reload. */
export function PagesOfIncidents({ shows }: { shows: (typeof pages)[number]["value"] }) {
  const [, change] = useAddress();
  return (
    <div className="screen-only">
      <ChoiceButtons
        label="Page"
        choices={pages}
        value={shows}
        onChange={(value) => change({ show: value === "findings" ? value : null, search: null }, { replace: false })}
      />
    </div>
  );
}
