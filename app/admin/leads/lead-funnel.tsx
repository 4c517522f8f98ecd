import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../../../contract/format-count.ts";
import type { FunnelRow } from "../../../contract/lead-inbox.ts";
import { leadSources } from "../../../contract/lead-states.ts";
import { messages } from "../../../contract/messages.ts";
import { call } from "../../api.ts";
import { showMonth } from "../../components/display.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../../lists/list-state.tsx";

const columns = [
  ["came", "Came"],
  ["contacted", "Contacted"],
  ["proposal_sent", "Proposal sent"],
  ["negotiation", "Negotiation"],
  ["won", "Won"],
  ["lost", "Lost"],
  ["junk", "Junk"],
] as const satisfies [keyof FunnelRow, string][];

/** How far each month's leads came, by source. */
export default function LeadFunnel() {
  const funnel = useQuery({
    queryKey: ["admin/leads/funnel"],
    queryFn: ({ signal }) => call("admin/leads/funnel", {}, signal),
  });
  if (funnel.isPending) return <ListLoading rows={4} />;
  if (funnel.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void funnel.refetch()} />;
  const { rows } = funnel.data;
  if (rows.length === 0) return <ListEmpty message="No leads came in the last twelve months" />;
  return (
    <PanelSection
      title="Funnel"
      level={2}
      hint="How many of each month’s leads got this far or further, with their share, and how many are lost or junk now."
    >
      <Table.ScrollContainer minWidth={720} type="native" tabIndex={0} role="group" aria-label="Funnel by month">
        <Table aria-label="Funnel" className="tabular" striped>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Month</Table.Th>
              <Table.Th scope="col">Source</Table.Th>
              {columns.map(([name, label]) => (
                <Table.Th key={name} scope="col" ta="end">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={`${row.month}/${row.source}`}>
                <Table.Th scope="row">{showMonth(row.month)}</Table.Th>
                <Table.Td>{leadSources[row.source]}</Table.Td>
                {columns.map(([name]) => (
                  <Table.Td key={name} ta="end">
                    {formatCount(row[name])}{" "}
                    {name !== "came" && row.came > 0 && (
                      <Text span fz="xs" c="var(--site-muted)">
                        {Math.round((100 * row[name]) / row.came)}%
                      </Text>
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </PanelSection>
  );
}
