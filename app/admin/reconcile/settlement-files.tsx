import { Stack, Text } from "@mantine/core";
import { useIsFetching, useQuery } from "@tanstack/react-query";
import { messages } from "../../../contract/messages.ts";
import { call } from "../../api.ts";
import { showDay, showTime } from "../../components/display.ts";
import { Facts, PanelSection } from "../../components/panel-section.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { showSums } from "./show-sums.ts";

/** The newest settlement files, with the sums of each; shown once the list above has its rows and pushes nothing down. */
export default function SettlementFiles() {
  const isListPending = useIsFetching({ queryKey: ["admin/reconcile"], predicate: ({ state }) => !state.data }) > 0;
  const files = useQuery({
    queryKey: ["admin/reconcile/files"],
    queryFn: ({ signal }) => call("admin/reconcile/files", {}, signal),
  });
  if (isListPending) return null;
  if (files.isPending) return <ListLoading rows={2} />;
  if (files.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void files.refetch()} />;
  return (
    <Stack gap="md" mt="xl">
      <PanelSection title="Settlement files" level={2} hint="The newest fifty, each with fees and the tax on them.">
        {files.data.files.length === 0 && (
          <Text c="var(--site-muted)">None imported yet. The gateway’s dashboard offers one for each settlement.</Text>
        )}
        <Stack gap="lg">
          {files.data.files.map(({ id, name, first_day, last_day, uploaded_at, uploaded_by, sums }) => (
            <div key={id}>
              <Text fw={600} style={{ overflowWrap: "anywhere" }}>
                {name}
              </Text>
              <Text fz="sm" c="var(--site-muted)" mb="xs" style={{ overflowWrap: "anywhere" }}>
                {first_day === last_day ? showDay(first_day) : `${showDay(first_day)} to ${showDay(last_day)}`}, taken
                in {showTime(uploaded_at)} by <bdi>{uploaded_by}</bdi>
              </Text>
              <Facts facts={showSums(sums)} />
            </div>
          ))}
        </Stack>
      </PanelSection>
    </Stack>
  );
}
