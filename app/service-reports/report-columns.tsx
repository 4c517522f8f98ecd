import { Text } from "@mantine/core";
import { formatCount } from "../../contract/format-count.ts";
import { monthInWords } from "../../contract/india-time.ts";
import type { ServiceReport, ServiceReportSort } from "../../contract/service-reports.ts";
import type { Column } from "../lists/column.ts";

const watched = ({ watched: percent }: ServiceReport) => (percent === null ? "Not known" : `${percent}%`);

const customer: Column<ServiceReport, ServiceReportSort> = {
  label: "Customer",
  cell: ({ organization_name }) => <bdi>{organization_name}</bdi>,
  text: ({ organization_name }) => organization_name,
  sort: "organization_name",
  below: true,
};

const ofMonth: readonly Column<ServiceReport, ServiceReportSort>[] = [
  {
    label: "Watched",
    cell: watched,
    text: watched,
    numeric: true,
  },
  {
    label: "Incidents",
    cell: ({ incidents }) => formatCount(incidents),
    text: ({ incidents }) => incidents,
    numeric: true,
  },
  {
    label: "Promises",
    cell: ({ promises_kept, promises_broken }) =>
      promises_kept + promises_broken === 0 ? "None fell due" : `${promises_kept} kept, ${promises_broken} broken`,
    text: ({ promises_kept, promises_broken }) => `${promises_kept} kept, ${promises_broken} broken`,
  },
  {
    label: "Open actions",
    cell: ({ open_actions }) => formatCount(open_actions),
    text: ({ open_actions }) => open_actions,
    numeric: true,
  },
  {
    label: "Certificate’s SHA-256",
    cell: ({ certificate_hash }) => certificate_hash,
    text: ({ certificate_hash }) => certificate_hash,
    // The certificate itself states it, too.
    fileOnly: true,
  },
];

const first: Column<ServiceReport, ServiceReportSort> = {
  label: "Month",
  cell: ({ month: day }) => (
    <Text fw={650} fz="inherit">
      {monthInWords(day)}
    </Text>
  ),
  text: ({ month: day }) => day.slice(0, 7),
  sort: "month",
};

/** The columns of one customer's reports, and of several customers'. */
export const reportColumns = [first, ...ofMonth];
export const reportColumnsOfMany = [first, customer, ...ofMonth];
