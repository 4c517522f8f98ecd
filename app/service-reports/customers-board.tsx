import { Anchor, Box, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatCount } from "../../contract/format-count.ts";
import { clockNames } from "../../contract/incident-states.ts";
import type { Incident } from "../../contract/incidents.ts";
import type { CustomerService, CustomerServiceSort, ServiceTotals } from "../../contract/service-view.ts";
import { call } from "../api.ts";
import { dueIn, showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import { coveragePath } from "../coverage/coverage-readers.ts";
import type { Column } from "../lists/column.ts";
import { useNow } from "../incidents/use-now.ts";
import { ListBody } from "../lists/list-body.tsx";
import { ListFailed } from "../lists/list-state.tsx";
import { useList } from "../lists/use-list.ts";
import { healthOfMany } from "./health.ts";
import {
  BoardGrid,
  BoardLoading,
  CoverageRing,
  HealthSentence,
  More,
  Muted,
  OpenBySeverity,
  Rows,
  Whole,
} from "./service-parts.tsx";

const everyMinute = 60_000;
const shownAtOnce = 5;
const listTitle = "Customers, the worst watched first";

/**
 * The service for all of the reader's customers: the totals, and the customers, the worst watched first. `children`
 * appear below at the same time, so that nothing moves for a reader who has begun.
 */
export function CustomersBoard({ area, children }: { area: "partner" | "admin"; children: ReactNode }) {
  const name = `${area}/service` as const;
  // Fetched only here: a child using this query would retry a failed call on mounting, and unmount while that ran.
  const worst = useWorstIncidents(area);
  const list = useList(name, { input: { limit: shownAtOnce }, refetchInterval: () => everyMinute });
  // A query that failed is pending again whenever it is asked again: then what is here stays.
  if (!worst.isFetched || list.isPending) return <BoardLoading parts={2} />;
  const totals = list.data?.pages[0]?.totals;
  return (
    <Stack gap="lg">
      {totals && <Totals totals={totals} worst={worst} area={area} />}
      <PanelSection title={listTitle} level={2} bare>
        <ListBody
          caption={listTitle}
          list={list}
          columns={columnsOf(area)}
          empty="No customers to watch yet"
          emptyHint="Customers appear here with their first contract or engine."
          failure="The state of your customers’ service could not be loaded."
        />
      </PanelSection>
      <Box mt="sm">{children}</Box>
    </Stack>
  );
}

function Totals({
  totals,
  worst,
  area,
}: {
  totals: ServiceTotals;
  worst: ReturnType<typeof useWorstIncidents>;
  area: "partner" | "admin";
}) {
  return (
    <>
      <HealthSentence {...healthOfMany(totals)} />
      <BoardGrid>
        <PanelSection title="Coverage" level={2} aside={<More to={`/${area}/coverage`}>All customers</More>}>
          {totals.contracted === 0 ? <Muted>No devices are contracted yet.</Muted> : <CoverageRing counts={totals} />}
        </PanelSection>
        <PanelSection title="Open incidents" level={2} aside={<More to={`/${area}/incidents`}>All incidents</More>}>
          <OpenBySeverity open={totals.bySeverity} />
          {totals.bySeverity.some(({ open }) => open > 0) &&
            (worst.data ? (
              <WorstIncidents incidents={worst.data} area={area} />
            ) : (
              <Box mt="sm">
                <ListFailed message="The incidents could not be loaded." onRetry={() => void worst.refetch()} />
              </Box>
            ))}
          {totals.broken > 0 && <Muted>{formatCount(totals.broken)} with a broken promise.</Muted>}
        </PanelSection>
      </BoardGrid>
    </>
  );
}

const worstShown = 4;

function useWorstIncidents(area: "partner" | "admin") {
  const name = `${area}/incidents` as const;
  return useQuery({
    queryKey: [name, "worst"],
    queryFn: async ({ signal }) =>
      (await call(name, { limit: worstShown, show: "open", sort: "worst" }, signal)).incidents,
    refetchInterval: everyMinute,
  });
}

/** The most urgent open incidents, each with its customer and its next deadline. */
function WorstIncidents({ incidents, area }: { incidents: readonly Incident[]; area: "partner" | "admin" }) {
  const now = useNow();
  return (
    <Rows
      rows={incidents.map(({ id, number, title, organization_name, next_clock, next_due_at }) => ({
        key: id,
        text: (
          <>
            <Link to={`/${area}/incidents/${id}`}>
              <Whole>{number}</Whole> {title}
            </Link>
            <Muted>
              <bdi>{organization_name}</bdi>
            </Muted>
          </>
        ),
        ...(next_clock && next_due_at && { aside: `${clockNames[next_clock]} ${dueIn(next_due_at, now)}` }),
      }))}
    />
  );
}

const watched = ({ watched: percent, unknownSince }: CustomerService) =>
  percent === null ? "Nothing contracted" : `${Math.floor(percent)}%${unknownSince ? ", not all known" : ""}`;

function toneOf({ watched: percent, unknownSince }: CustomerService): Tone {
  if (percent === null) return "neutral";
  if (percent === 100) return "good";
  return unknownSince ? "warning" : "bad";
}

const columnsOf = (area: "partner" | "admin"): readonly Column<CustomerService, CustomerServiceSort>[] => [
  {
    label: "Customer",
    cell: ({ organization_name, email }) => (
      <Anchor component={Link} to={coveragePath(area, email)} fw={650} fz="inherit">
        <bdi>{organization_name}</bdi>
      </Anchor>
    ),
    text: ({ organization_name }) => organization_name,
  },
  {
    label: "Watched",
    cell: (customer) => (
      <>
        <StateBadge tone={toneOf(customer)}>{watched(customer)}</StateBadge>
        {customer.unknownSince && <Muted>Not known since {showTime(customer.unknownSince)}</Muted>}
      </>
    ),
    text: watched,
  },
  { label: "Contracted", cell: ({ contracted }) => formatCount(contracted), numeric: true },
  { label: "Silent", cell: ({ silent }) => formatCount(silent), numeric: true },
  {
    label: "Open incidents",
    cell: ({ openIncidents, openP1, broken }) =>
      openIncidents === 0 ? (
        "None"
      ) : (
        <StateBadge tone={openP1 > 0 || broken > 0 ? "bad" : "warning"}>
          {openIncidents} open{openP1 > 0 ? `, ${openP1} P1` : ""}
          {broken > 0 ? `, ${broken} late` : ""}
        </StateBadge>
      ),
    text: ({ openIncidents }) => openIncidents,
  },
];
