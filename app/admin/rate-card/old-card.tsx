import { Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messages } from "../../../contract/messages.ts";
import type { RateCardContent } from "../../../contract/rates.ts";
import { call } from "../../api.ts";
import { showRupees } from "../../components/display.ts";
import { Facts, PanelSection } from "../../components/panel-section.tsx";
import { SidePanel } from "../../components/side-panel.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";

/** A published card, read-only. */
export default function OldCard({ id, onClose }: { id: string | null; onClose: () => void }) {
  const card = useQuery({
    queryKey: ["admin/rates/card", id],
    queryFn: ({ signal }) => call("admin/rates/card", { id: id ?? "" }, signal),
    enabled: id !== null,
  });
  return (
    <SidePanel
      opened={id !== null}
      title={card.data ? `Card ${card.data.number}` : "Rate card"}
      subject={id ?? ""}
      onClose={onClose}
    >
      {card.isLoading && <ListLoading rows={4} />}
      {card.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void card.refetch()} />}
      {card.data && <CardToRead name={`Card ${card.data.number}`} content={card.data.content} />}
    </SidePanel>
  );
}

function CardToRead({ name: card, content }: { name: string; content: RateCardContent }) {
  const tiers = content.tiers.map((tier) => `${tier.discountPercent}% from ${tier.fromDevices} devices`);
  return (
    <Stack gap="xl">
      <PanelSection title={`${card}: terms`}>
        <Facts
          facts={[
            ["GST", `${content.gstPercent}%`],
            ["Quotes are valid for", `${content.quoteValidDays} days`],
            ["Custom devices", `${showRupees(content.custom.yearly)} per ${content.custom.unit} and year`],
            ["Volume discount", tiers.join(", ") || "None"],
          ]}
        />
      </PanelSection>
      {content.groups.map(({ name, types }) => (
        <PanelSection key={name} title={`${card}: ${name}`}>
          <Table className="tabular" maw={720} aria-label={name}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Device type</Table.Th>
                <Table.Th scope="col">Counted by</Table.Th>
                <Table.Th scope="col" ta="end">
                  A year
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {types.map((type) => (
                <Table.Tr key={type.name}>
                  <Table.Th scope="row" fw={500}>
                    <bdi>{type.name}</bdi>
                    {type.retired && (
                      <Text span c="var(--site-muted)">
                        {" "}
                        (retired)
                      </Text>
                    )}
                  </Table.Th>
                  <Table.Td>{type.unit}</Table.Td>
                  <Table.Td ta="end">{showRupees(type.yearly)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </PanelSection>
      ))}
    </Stack>
  );
}
