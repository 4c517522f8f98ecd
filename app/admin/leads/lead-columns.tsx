import { Text } from "@mantine/core";
import { formatCount } from "../../../contract/format-count.ts";
import type { Lead, LeadSort } from "../../../contract/lead-list.ts";
import { writtenDay } from "../../../contract/india-time.ts";
import { leadSources, leadStates, openLeadStates } from "../../../contract/lead-states.ts";
import { AddressText, PhoneNumber } from "../../components/address-text.tsx";
import { showDay } from "../../components/display.ts";
import { LongText } from "../../components/long-text.tsx";
import { NumberAndDate } from "../../components/number-and-date.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { Amount } from "../../components/unbroken.tsx";
import { MadeBy } from "../../orders/quote-state.tsx";
import type { Column } from "../../lists/column.ts";
import { LeadStateBadge } from "./lead-state.tsx";

export const leadColumns: readonly Column<Lead, LeadSort>[] = [
  {
    label: "Lead",
    cell: (lead) => (
      <>
        <NumberAndDate number={lead.number} date={lead.created_at} />
        <MadeBy quote={lead} />
      </>
    ),
    text: (lead) => lead.number,
    sort: "created_at",
  },
  {
    label: "State",
    cell: (lead) => <LeadStateBadge state={lead.state} />,
    text: (lead) => leadStates[lead.state],
    below: true,
  },
  {
    label: "Owner",
    cell: (lead) => <bdi>{lead.owner_name ?? "Nobody"}</bdi>,
    text: (lead) => lead.owner_name ?? "",
    below: true,
  },
  {
    label: "Next Step",
    cell: (lead) => <NextStep lead={lead} />,
    text: (lead) => (lead.next_step_on ? `${lead.next_step_on}: ${lead.next_step}` : ""),
    sort: "next_step_on",
    below: true,
  },
  {
    label: "Organization",
    cell: (lead) => <bdi>{lead.organization_name}</bdi>,
    text: (lead) => lead.organization_name,
    sort: "organization_name",
  },
  {
    label: "Name",
    cell: (lead) => <bdi>{lead.user_name}</bdi>,
    text: (lead) => lead.user_name,
    sort: "user_name",
    below: true,
  },
  {
    label: "Email",
    cell: (lead) => <AddressText address={lead.user_email} />,
    text: (lead) => lead.user_email,
    sort: "user_email",
    below: true,
  },
  {
    label: "Phone",
    cell: (lead) => <PhoneNumber number={lead.phone_number} />,
    text: (lead) => lead.phone_number,
    below: true,
  },
  {
    label: "Number of Users",
    cell: (lead) => formatCount(lead.number_of_users),
    text: (lead) => lead.number_of_users,
  },
  {
    label: "Message",
    cell: (lead) => <LongText text={lead.message} />,
    text: (lead) => lead.message,
    width: 140,
    below: true,
  },
  {
    label: "Estimate Price",
    cell: (lead) => <EstimatePrice lead={lead} />,
    text: (lead) => lead.total_cost ?? "",
    sort: "total_cost",
    numeric: true,
  },
  { label: "Date", cell: () => null, text: (lead) => lead.created_at, fileOnly: true },
  { label: "From", cell: () => null, text: (lead) => leadSources[lead.source], fileOnly: true },
  { label: "Quote", cell: () => null, text: (lead) => lead.quote_number ?? "", fileOnly: true },
  {
    label: "Rates to confirm",
    cell: () => null,
    text: (lead) => (lead.quote_state === "rates_to_confirm" ? "yes" : ""),
    fileOnly: true,
  },
  { label: "Made by", cell: () => null, text: (lead) => lead.made_by ?? "", fileOnly: true },
  { label: "Lost because", cell: () => null, text: (lead) => lead.lost_reason, fileOnly: true },
  { label: "GSTIN", cell: () => null, text: (lead) => lead.gstin ?? "", fileOnly: true },
];

/** The next step and its date. */
function NextStep({ lead }: { lead: Pick<Lead, "state" | "next_step" | "next_step_on"> }) {
  if (!lead.next_step_on) return "–";
  return (
    <>
      <bdi>{lead.next_step}</bdi>
      <Text fz="xs" c="var(--site-muted)">
        {showDay(lead.next_step_on)}
      </Text>
      <Overdue lead={lead} />
    </>
  );
}

/** Marks an open lead whose next step's day has passed, in India. */
export const Overdue = ({ lead }: { lead: Pick<Lead, "state" | "next_step_on"> }) =>
  isOverdue(lead) && <StateBadge tone="bad">Overdue</StateBadge>;

const isOverdue = ({ state, next_step_on }: Pick<Lead, "state" | "next_step_on">) =>
  next_step_on !== null && next_step_on < writtenDay(new Date()) && openLeadStates.some((open) => open === state);

function EstimatePrice({ lead }: { lead: Lead }) {
  if (lead.total_cost === null)
    return (
      <Text fz="inherit" c="var(--site-muted)">
        {leadSources[lead.source]}
      </Text>
    );
  return (
    <>
      <Text fw={650} fz="inherit">
        <Amount rupees={lead.total_cost} />
      </Text>
      <Text fz="xs" c="var(--site-muted)" mb={4} className="tabular">
        {lead.quote_number}
      </Text>
      {lead.quote_state === "rates_to_confirm" && <StateBadge tone="warning">Rates to confirm</StateBadge>}
    </>
  );
}
