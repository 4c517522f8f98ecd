import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { ContractDetails, ContractLine } from "../../contract/contracts.ts";
import { formatCount } from "../../contract/format-count.ts";
import { openedLater } from "../components/later.tsx";
import { Facts, PanelSection } from "../components/panel-section.tsx";
import { Amount } from "../components/unbroken.tsx";
import { showDay, showWrittenDay } from "../components/display.ts";
import type { Column } from "../lists/column.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ListEmpty } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { AddDevicesProps } from "./add-devices.tsx";
import type { AskLessProps } from "./ask-less.tsx";
import { addsBy, asksLessBy, type ContractReader, type LessAsker } from "./contract-readers.ts";
import { ContractHistory } from "./contract-history.tsx";
import { ContractStateBadge } from "./contract-state.tsx";
import { LessRequests } from "./less-requests.tsx";
import { TrueUps } from "./true-ups.tsx";

const AddDevices = openedLater<AddDevicesProps>(() => import("./add-devices.tsx"), { contract: null });
const AskLess = openedLater<AskLessProps>(() => import("./ask-less.tsx"), { line: null });

/** A contract: its lines, what is pending, and its history, with the actions that the user may take. */
export function ContractView({
  contract,
  reader,
  level = 2,
  next,
  onRates,
}: {
  contract: ContractDetails;
  reader: ContractReader;
  level?: 2 | 3;
  /** What comes after the contract, if the reader decides that. */
  next?: ReactNode;
  /** Opens the rates of a quote that waits for them. */
  onRates?: (quoteId: string) => void;
}) {
  const mayCall = useMayCall();
  const [adding, setAdding] = useState(false);
  const [lessOf, setLessOf] = useState<ContractLine | null>(null);
  const isOver = contract.state === "ended";
  const asker = reader !== "partner" && !isOver && mayCall(asksLessBy[reader]) ? reader : null;
  return (
    <Stack gap="xl">
      <PanelSection title={`Contract ${contract.number}`} level={level}>
        <Facts
          facts={[
            ["State", <ContractStateBadge key="state" contract={contract} />],
            ["Term", `${showWrittenDay(contract.starts_on)} to ${showWrittenDay(contract.ends_on)}`],
            ["Days left", isOver ? "None" : formatCount(contract.days_left)],
            ["Devices at its end", formatCount(contract.devices)],
            ["A year of these, before GST", <Amount key="yearly" rupees={contract.yearly} />],
            ...(contract.renews ? [["Goes on from", contract.renews] as const] : []),
            ...(contract.renewed_by ? [["Goes on in", contract.renewed_by] as const] : []),
          ]}
        />
      </PanelSection>
      {next}
      <PanelSection
        title="What it holds"
        level={level}
        bare
        hint="Each line from its first to its last day; a change closes a line and opens another."
        aside={!isOver && mayCall(addsBy[reader].add) && <Button onClick={() => setAdding(true)}>Add devices</Button>}
      >
        {contract.lines.length === 0 ? (
          <ListEmpty message="No devices" />
        ) : (
          <DataTable
            caption={`What ${contract.number} holds`}
            columns={lineColumns}
            rows={contract.lines}
            {...(asker && {
              actionsLabel: "Change",
              actions: (line: ContractLine) => (
                <Less line={line} endsOn={contract.ends_on} asker={asker} onAsk={() => setLessOf(line)} />
              ),
            })}
          />
        )}
      </PanelSection>
      <OpenQuotes contract={contract} reader={reader} level={level} {...(onRates && { onRates })} />
      <LessRequests contract={contract} reader={reader} level={level} />
      <TrueUps contract={contract} reader={reader} level={level} />
      <ContractHistory contract={contract} reader={reader} level={level} />
      <AddDevices contract={adding ? contract : null} reader={reader} onClose={() => setAdding(false)} />
      {asker && <AskLess contract={contract} line={lessOf} reader={asker} onClose={() => setLessOf(null)} />}
    </Stack>
  );
}

const lineColumns: readonly Column<ContractLine>[] = [
  {
    label: "Device",
    cell: (line) => (
      <>
        <Text fw={600} fz="inherit">
          <bdi>{line.device_type}</bdi>
        </Text>
        <Text fz="xs" c="var(--site-muted)">
          {line.service}, {line.order_number}
        </Text>
      </>
    ),
  },
  { label: "Number", cell: ({ quantity }) => formatCount(quantity), numeric: true },
  {
    label: "Rate a year",
    cell: ({ rate, discount_percent }) => (
      <>
        <Amount rupees={rate} />
        {discount_percent > 0 && (
          <Text fz="xs" c="var(--site-muted)">
            less {discount_percent}%
          </Text>
        )}
      </>
    ),
    numeric: true,
  },
  { label: "From", cell: ({ from }) => showWrittenDay(from) },
  {
    label: "To",
    cell: ({ to, state }) => (
      <>
        {showWrittenDay(to)}
        {state !== "running" && (
          <Text fz="xs" c="var(--site-muted)">
            {state === "coming" ? "Not begun yet" : "Over"}
          </Text>
        )}
      </>
    ),
  },
];

const lessWords = { user: "Ask for less", admin: "Take away" } as const;

function Less({
  line,
  endsOn,
  asker,
  onAsk,
}: {
  line: ContractLine;
  endsOn: string;
  asker: LessAsker;
  onAsk: () => void;
}) {
  // Only lines that run to the contract's end can be reduced; a line closed earlier is followed by another row.
  if (line.to !== endsOn) return null;
  if (line.asked_less !== null)
    return (
      <Text fz="sm" c="var(--site-muted)">
        {line.asked_less} less asked for
      </Text>
    );
  return (
    <Button variant="default" aria-label={`${lessWords[asker]} of ${line.device_type}`} onClick={onAsk}>
      {lessWords[asker]}
    </Button>
  );
}

const kinds = { add: "Adds devices", "true up": "True-up", renew: "Renews it" } as const;

function OpenQuotes({
  contract: { quotes, number },
  reader,
  level,
  onRates,
}: {
  contract: ContractDetails;
  reader: ContractReader;
  level: 2 | 3;
  onRates?: (quoteId: string) => void;
}) {
  if (quotes.length === 0) return null;
  return (
    <PanelSection
      title="Open quotes"
      level={level}
      hint={reader === "user" ? "You buy them under My Quotes." : "The customer buys them under My Quotes."}
    >
      <Stack gap="sm">
        {quotes.map((quote) => (
          <Group key={quote.id} justify="space-between" gap="xs">
            <div>
              <Text fw={600}>
                {quote.number}: {kinds[quote.kind]}
              </Text>
              <Text fz="sm" c="var(--site-muted)">
                {showWrittenDay(quote.from)} to {showWrittenDay(quote.to)}, can be bought until{" "}
                {showDay(quote.valid_until)}
                {quote.rates_to_confirm && ", once the rates of its custom devices are confirmed"}
              </Text>
            </div>
            <Group gap="md">
              <Amount rupees={quote.total} />
              {quote.rates_to_confirm && onRates && (
                <Button
                  variant="default"
                  aria-label={`Rates of ${quote.number} to confirm`}
                  onClick={() => onRates(quote.id)}
                >
                  Rates …
                </Button>
              )}
              {reader === "user" && (
                <Button
                  component={Link}
                  to={`/user/myquote?search=${quote.number}`}
                  variant="light"
                  aria-label={`Open ${quote.number}, which is about ${number}`}
                >
                  Open
                </Button>
              )}
            </Group>
          </Group>
        ))}
      </Stack>
    </PanelSection>
  );
}
