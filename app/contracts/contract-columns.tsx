import { Text } from "@mantine/core";
import type { Contract, ContractSort } from "../../contract/contracts.ts";
import { formatCount } from "../../contract/format-count.ts";
import { showWrittenDay } from "../components/display.ts";
import { Amount } from "../components/unbroken.tsx";
import type { Column } from "../lists/column.ts";
import { contractStateInWords, ContractStateBadge } from "./contract-state.tsx";

export const contractColumns: readonly Column<Contract, ContractSort>[] = [
  {
    label: "Contract",
    cell: ({ number }) => (
      <Text fw={650} fz="inherit" className="tabular">
        {number}
      </Text>
    ),
    text: ({ number }) => number,
  },
  {
    label: "Customer",
    cell: ({ organization_name }) => <bdi>{organization_name}</bdi>,
    text: ({ organization_name }) => organization_name,
    sort: "organization_name",
  },
  {
    label: "Begins",
    cell: ({ starts_on }) => showWrittenDay(starts_on),
    text: ({ starts_on }) => starts_on,
    sort: "starts_on",
    below: true,
  },
  {
    label: "Ends",
    cell: ({ ends_on, days_left, state }) => (
      <>
        {showWrittenDay(ends_on)}
        {state !== "ended" && (
          <Text fz="xs" c="var(--site-muted)">
            {days_left} {days_left === 1 ? "day" : "days"} left
          </Text>
        )}
      </>
    ),
    text: ({ ends_on }) => ends_on,
    sort: "ends_on",
  },
  { label: "Days left", cell: ({ days_left }) => days_left, text: ({ days_left }) => days_left, fileOnly: true },
  {
    label: "Devices",
    cell: ({ devices }) => formatCount(devices),
    text: ({ devices }) => devices,
    numeric: true,
  },
  {
    label: "A year",
    cell: ({ yearly }) => <Amount rupees={yearly} />,
    text: ({ yearly }) => yearly,
    numeric: true,
    below: true,
  },
  {
    label: "State",
    cell: (contract) => <ContractStateBadge contract={contract} />,
    text: contractStateInWords,
  },
];
