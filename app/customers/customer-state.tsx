import { Text } from "@mantine/core";
import { dayBefore } from "../../contract/india-time.ts";
import type { CustomerStage, CustomerState, ListedPerson, PersonSort } from "../../contract/people.ts";
import { showDay } from "../components/display.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";

const stages: Record<CustomerStage, { tone: Tone; text: string }> = {
  no_quote: { tone: "neutral", text: "No quote yet" },
  quote_expired: { tone: "warning", text: "Quote expired" },
  quote_declined: { tone: "neutral", text: "Quote declined" },
  quote_open: { tone: "info", text: "Quote open" },
  payment_under_way: { tone: "info", text: "Payment under way" },
  paid: { tone: "good", text: "Paid" },
  active: { tone: "good", text: "Active" },
  ended: { tone: "warning", text: "Contract ended" },
};

/** Short notes beside a customer's stage. */
function notesOf({ stage, quote_open_until, payment_under_way, renews_on }: CustomerState): string[] {
  const notes = [];
  if (stage === "paid") notes.push("Dashboards to be activated");
  if (stage === "active") notes.push("Dashboards activated");
  // Contracts renew only if somebody buys the renewal, so the note gives the last day.
  if (renews_on)
    notes.push(
      `${stage === "paid" || stage === "active" ? "Contract until" : "Ended on"} ${showDay(dayBefore(renews_on))}`,
    );
  if (payment_under_way && stage !== "payment_under_way") notes.push("Payment under way");
  if (quote_open_until)
    notes.push(`${stage === "quote_open" ? "Until" : "Quote open until"} ${showDay(quote_open_until)}`);
  return notes;
}

/** A customer's stage as text, with dates and notes below it. */
export function CustomerStateOf({ state }: { state: CustomerState }) {
  const { tone, text } = stages[state.stage];
  return (
    <div>
      <StateBadge tone={tone}>{text}</StateBadge>
      {notesOf(state).map((note) => (
        <Text key={note} fz="xs" c="var(--site-muted)" mt={4}>
          {note}
        </Text>
      ))}
    </div>
  );
}

/** The state as a column of the lists of customers. */
export const customerStateColumn: Column<ListedPerson, PersonSort> = {
  label: "State",
  cell: ({ customer_state }) => customer_state && <CustomerStateOf state={customer_state} />,
  text: ({ customer_state }) =>
    customer_state ? [stages[customer_state.stage].text, ...notesOf(customer_state)].join(", ") : "",
  width: 150,
};
