import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { formatCount } from "../../../contract/format-count.ts";
import type { LeadQuote, LeadRequest } from "../../../contract/lead-details.ts";
import { leadSources } from "../../../contract/lead-states.ts";
import { messages } from "../../../contract/messages.ts";
import type { QuoteState } from "../../../contract/quotes.ts";
import { showSigned } from "../../billing/tax-lines.tsx";
import { AddressText, PhoneNumber } from "../../components/address-text.tsx";
import { showDay, showRupees, showTime } from "../../components/display.ts";
import { Facts, PanelSection } from "../../components/panel-section.tsx";
import { StateBadge, type Tone } from "../../components/state-badge.tsx";
import type { ViewedPdf } from "../../documents/pdf-viewer.tsx";
import { OrderStateBadge } from "../../orders/order-state.tsx";
import type { LeadActions } from "./lead-panel.tsx";
import classes from "./leads.module.css";

/** One request: who asked, what they wrote, and the quote with its devices. */
export function Request({ request, actions }: { request: LeadRequest; actions: LeadActions }) {
  const { quote } = request;
  return (
    <PanelSection
      title={`${leadSources[request.source]} ${request.number}`}
      hint={showTime(request.created_at)}
      aside={actions.separate(request)}
    >
      <Stack gap="lg">
        <Facts
          facts={[
            ["Organization", request.organization_name],
            ["Name", request.user_name],
            ["Email", <AddressText key="email" address={request.user_email} />],
            ["Phone", <PhoneNumber key="phone" number={request.phone_number} />],
            ["Number of users", formatCount(request.number_of_users)],
          ]}
        />
        {request.message && (
          <div>
            <Text fz="sm" c="var(--site-muted)">
              Message
            </Text>
            <p className={classes.note} dir="auto">
              {request.message}
            </p>
          </div>
        )}
        {quote && <Quote quote={quote} actions={actions} />}
      </Stack>
    </PanelSection>
  );
}

const states: Record<QuoteState, { text: string; tone: Tone }> = {
  preparing: { text: "Being prepared", tone: "neutral" },
  rates_to_confirm: { text: "Rates to confirm", tone: "warning" },
  open: { text: "Open", tone: "info" },
  bought: { text: "Bought", tone: "good" },
  expired: { text: "Expired", tone: "neutral" },
};

function Quote({ quote, actions }: { quote: LeadQuote; actions: LeadActions }) {
  const { number, revision, order } = quote;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Text fw={650} className="tabular">
            {number}
            {revision > 1 && `, revision ${revision}`}
          </Text>
          <StateBadge tone={states[quote.state].tone}>{states[quote.state].text}</StateBadge>
          {order && (
            <>
              <Text className="tabular">{order.number}</Text>
              <OrderStateBadge state={order.status} />
            </>
          )}
        </Group>
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() => actions.view(proposalPdf(quote.pdf_url, number))}
            aria-label={`View the proposal ${number}`}
          >
            View
          </Button>
          {actions.revise(quote)}
        </Group>
      </Group>
      <Devices quote={quote} />
      <Text fz="sm" c="var(--site-muted)">
        Valid until {showDay(quote.valid_until)}
        {quote.note && <>. Our note: {quote.note}</>}
      </Text>
      <EarlierRevisions quote={quote} onView={actions.view} />
    </Stack>
  );
}

function Devices({ quote }: { quote: LeadQuote }) {
  const { number, tax } = quote;
  return (
    <Table aria-label={`Devices of ${number}`} className="tabular">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Device</Table.Th>
          <Table.Th scope="col" ta="end">
            Number
          </Table.Th>
          <Table.Th scope="col" ta="end">
            Amount a year
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {[...quote.lines.map((line) => ({ line, isOption: false })), ...quote.options.map(asOption)].map(
          ({ line, isOption }) => (
            <Table.Tr key={`${line.service}/${line.deviceType}/${isOption}`}>
              <Table.Td>
                <bdi>{line.deviceType}</bdi>
                {line.subjectToConfirmation && " (rate to confirm)"}
                {isOption && " (option, not in the total)"}
              </Table.Td>
              <Table.Td ta="end">{formatCount(line.number)}</Table.Td>
              <Table.Td ta="end">{showRupees(line.amount)}</Table.Td>
            </Table.Tr>
          ),
        )}
        {quote.discountPercent > 0 && (
          <Table.Tr>
            <Table.Td colSpan={2}>
              {quote.ownDiscount ? "Discount" : "Volume discount"} {quote.discountPercent}%
            </Table.Td>
            <Table.Td ta="end">−{showRupees(quote.discount)}</Table.Td>
          </Table.Tr>
        )}
        {tax.taxes.map(({ name, percent, amount }) => (
          <Table.Tr key={name}>
            <Table.Td colSpan={2}>
              {name} {percent}%
            </Table.Td>
            <Table.Td ta="end">{showRupees(amount)}</Table.Td>
          </Table.Tr>
        ))}
        {tax.roundOff && (
          <Table.Tr>
            <Table.Td colSpan={2}>Round-off</Table.Td>
            <Table.Td ta="end">{showSigned(tax.roundOff)}</Table.Td>
          </Table.Tr>
        )}
        <Table.Tr fw={650}>
          <Table.Td colSpan={2}>Total a year, {tax.taxes.length > 0 ? "GST included" : "no GST"}</Table.Td>
          <Table.Td ta="end">{showRupees(tax.total)}</Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

function EarlierRevisions({ quote, onView }: { quote: LeadQuote; onView: LeadActions["view"] }) {
  return quote.earlier.map((before) => (
    <Group key={before.revision} gap="xs">
      <Text fz="sm" className="tabular">
        Revision {before.revision}, {showRupees(before.total_cost)}
      </Text>
      <StateBadge tone="neutral">Superseded {showDay(before.superseded_at)}</StateBadge>
      {before.pdf_url && (
        <Button
          variant="subtle"
          size="compact-md"
          mih={32}
          onClick={() => onView(proposalPdf(before.pdf_url, `${quote.number}, revision ${before.revision}`))}
        >
          View revision {before.revision}
        </Button>
      )}
    </Group>
  ));
}

const asOption = (line: LeadQuote["options"][number]) => ({ line, isOption: true });

const proposalPdf = (fileName: string | null, what: string): ViewedPdf => ({
  fileName,
  title: `Proposal ${what}`,
  failure: messages.proposalFailed,
});
