import { Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { CustomerCoverage, CustomerCoverageSort } from "../../contract/coverage.ts";
import { formatCount } from "../../contract/format-count.ts";
import { showTime } from "../components/display.ts";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { coveragePath } from "./coverage-readers.ts";

const counted = (label: string, of: (row: CustomerCoverage) => number) => ({
  label,
  cell: (row: CustomerCoverage) => formatCount(of(row)),
  text: of,
  numeric: true,
});

const columns: readonly Column<CustomerCoverage, CustomerCoverageSort>[] = [
  {
    label: "Customer",
    cell: ({ organization_name, asOf }) => (
      <>
        <Text fw={600} fz="inherit" style={{ overflowWrap: "anywhere" }}>
          <bdi>{organization_name}</bdi>
        </Text>
        <Text fz="xs" c="var(--site-muted)">
          Counted {showTime(asOf)}
        </Text>
      </>
    ),
    text: ({ organization_name }) => organization_name,
    sort: "organization_name",
  },
  {
    label: "Watched",
    cell: (row) => <Watched row={row} />,
    text: ({ watched }) => watched ?? "",
    sort: "watched",
  },
  counted("Contracted", ({ contracted }) => contracted),
  { ...counted("Connected", ({ connected }) => connected), below: true },
  counted("Silent", ({ silent }) => silent),
  { ...counted("Never connected", ({ neverConnected }) => neverConnected), below: true },
  counted("Not known", ({ unknown }) => unknown),
  { ...counted("Missing", ({ missing }) => missing), below: true },
  counted("Not contracted", ({ notContracted }) => notContracted),
  { ...counted("Type not settled", ({ unmatched }) => unmatched), below: true },
];

function Watched({ row: { watched, unknownSince } }: { row: CustomerCoverage }) {
  return (
    <>
      {watched === null ? (
        <StateBadge tone="neutral">No contract</StateBadge>
      ) : (
        <StateBadge tone={watched === 100 ? "good" : unknownSince ? "warning" : "bad"}>
          {Math.floor(watched)}% connected
        </StateBadge>
      )}
      {unknownSince && (
        <Text fz="xs" c="var(--site-muted)" mt={4}>
          not known since {showTime(unknownSince)}
        </Text>
      )}
    </>
  );
}

/** The coverage of a partner's customers, or of all customers, the worst first. */
export function CustomersCoverage({
  reader,
  hint,
  children,
}: {
  reader: "partner" | "admin";
  hint: string;
  children?: ReactNode;
}) {
  return (
    <ListPage
      name={`${reader}/coverage/customers`}
      title="Coverage"
      hint={hint}
      searchLabel="Search customers"
      columns={columns}
      ownOrder="watched"
      fileName="coverage"
      empty="Nothing is watched yet"
      emptyHint="Customers appear here with their first contract or engine: how many of their devices are really connected, and what is missing."
      failure="The coverage could not be loaded."
      actions={({ email, organization_name }) => (
        <Button
          component={Link}
          to={coveragePath(reader, email)}
          variant="default"
          aria-label={`View ${organization_name}`}
        >
          View
        </Button>
      )}
    >
      {children}
    </ListPage>
  );
}
