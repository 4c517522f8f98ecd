import { Anchor, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { byEnd } from "../../contract/obligation-words.ts";
import { call } from "../api.ts";
import { dueIn, showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { ClockState, isOpenClock, type ObligationReader } from "./clock-words.tsx";

const shownClocks = 3;

/** The most urgent regulators' clocks in an incident's room, with a link to all of them. */
export function RegulatorsSummary({ reader, id }: { reader: ObligationReader; id: string }) {
  const name = `${reader}/incidents/{id}/obligations` as const;
  const found = useQuery({
    queryKey: [name, { id }],
    queryFn: ({ signal }) => call(name, { id }, signal),
    refetchInterval: 60_000,
  });
  const open = (found.data?.clocks.filter(isOpenClock) ?? []).toSorted(byEnd);
  return (
    <PanelSection
      level={2}
      title="Regulators’ clocks"
      hint={`The duty to report is ${reader === "user" ? "yours" : "the customer’s"}; we count and draft.`}
    >
      {found.isError && !found.data ? (
        <Text>They can’t be counted at present: open them all.</Text>
      ) : found.data ? (
        <Stack gap="sm">
          {open.length === 0 && <Text>As far as is known, none is open.</Text>}
          {open.slice(0, shownClocks).map(({ key, title, state, dueAt }) => (
            <Group key={key} justify="space-between" gap="xs" align="flex-start">
              <div style={{ flex: "1 1 200px" }}>
                <Text fw={600}>{title}</Text>
                {dueAt && (
                  <Text fz="sm" c="var(--site-muted)">
                    {showTime(dueAt)}, {dueIn(dueAt, new Date(found.data.asOf))}
                  </Text>
                )}
              </div>
              <ClockState state={state} />
            </Group>
          ))}
        </Stack>
      ) : (
        <Skeleton h={72} radius="md" />
      )}
      <Anchor component={Link} to={`/${reader}/incidents/${id}/regulators`} mt="sm" display="inline-block">
        {open.length > shownClocks
          ? `All ${open.length} open clocks, questions and drafts`
          : "Questions, drafts and filings"}
      </Anchor>
    </PanelSection>
  );
}
