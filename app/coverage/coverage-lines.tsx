import { Text } from "@mantine/core";
import { keyOf } from "../../contract/devices.ts";
import type { CoverageLine } from "../../contract/coverage.ts";
import { formatCount } from "../../contract/format-count.ts";
import { showMinutes } from "../components/display.ts";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ListEmpty } from "../lists/list-state.tsx";

type Row = CoverageLine & { id: string };

const counted = (label: string, of: (line: CoverageLine) => number): Column<Row> => ({
  label,
  cell: (line) => formatCount(of(line)),
  text: of,
  numeric: true,
});

const columns: readonly Column<Row>[] = [
  {
    label: "Device type",
    cell: ({ name, service, silenceMinutes }) => (
      <>
        <Text fw={600} fz="inherit">
          {name}
        </Text>
        <Text fz="xs" c="var(--site-muted)">
          {service}, silent after {showMinutes(silenceMinutes)}
        </Text>
      </>
    ),
  },
  counted("Contracted", ({ contracted }) => contracted),
  counted("Connected", ({ connected }) => connected),
  counted("Silent", ({ silent }) => silent),
  counted("Never connected", ({ neverConnected }) => neverConnected),
  counted("Not known", ({ unknown }) => unknown),
  counted("Missing", ({ missing }) => missing),
  {
    label: "State",
    cell: (line) => <LineState line={line} />,
  },
];

/** Contracted and connected devices by type; a line's counts add up to what is contracted. */
export const CoverageLines = ({ lines }: { lines: readonly CoverageLine[] }) =>
  lines.length === 0 ? (
    <ListEmpty message="No device is contracted">
      <Text c="var(--site-muted)">
        Each device type of a paid order is listed here, with how much of it is connected.
      </Text>
    </ListEmpty>
  ) : (
    <DataTable
      caption="Coverage by device type"
      columns={columns}
      rows={lines.map((line) => ({ ...line, id: keyOf(line) }))}
    />
  );

function LineState({ line: { contracted, connected, unknown } }: { line: CoverageLine }) {
  if (connected === contracted) return <StateBadge tone="good">Complete</StateBadge>;
  if (unknown > 0) return <StateBadge tone="warning">Not known</StateBadge>;
  return <StateBadge tone="bad">{formatCount(contracted - connected)} not watched</StateBadge>;
}
