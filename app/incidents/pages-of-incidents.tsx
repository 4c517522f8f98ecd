import { useSearchParams } from "react-router";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";

export const alertsTitle = "What became of every alert";
export const alertsHint =
  "A finding is what a rule saw. It is never an incident by itself; here stands what we made of each.";

const pages = [
  { value: "incidents", label: "Incidents" },
  { value: "findings", label: alertsTitle },
] as const;

/** Which of the two is shown stands in the address, so that it can be linked and comes back with F5. */
export function PagesOfIncidents({ shows }: { shows: (typeof pages)[number]["value"] }) {
  const [address, setAddress] = useSearchParams();
  return (
    <ChoiceButtons
      label="Page"
      choices={pages}
      value={shows}
      onChange={(value) => {
        const next = new URLSearchParams(address);
        if (value === "findings") next.set("show", value);
        else next.delete("show");
        next.delete("search");
        setAddress(next);
      }}
    />
  );
}
