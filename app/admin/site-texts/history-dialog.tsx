import { Button, Card, Group, List, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { messages } from "../../../contract/messages.ts";
import type { SiteSection } from "../../../contract/shown-texts.ts";
import { siteSectionNames } from "../../../contract/site-section-names.ts";
import type { SiteSettings, TextVersion } from "../../../contract/site-texts.ts";
import { call } from "../../api.ts";
import { showTime } from "../../components/display.ts";
import { Refusal } from "../../components/refusal.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";
import { settingsKey } from "./settings-key.ts";

interface Props {
  section: SiteSection | null;
  settings: SiteSettings | undefined;
  onClose: () => void;
}

/** The versions of a section, each of which can be restored. */
export default function HistoryDialog({ section, settings, onClose }: Props) {
  return (
    <Dialog
      opened={section !== null}
      onClose={onClose}
      title={section ? `History: ${siteSectionNames[section]}` : ""}
      size="xl"
    >
      {section && settings && <Versions section={section} version={settings[section].version} />}
    </Dialog>
  );
}

function Versions({ section, version }: { section: SiteSection; version: number }) {
  const queries = useQueryClient();
  const mayEdit = useMayCall()("admin/settings/restore");
  const history = useQuery({
    queryKey: ["admin/settings/history", section, version],
    queryFn: ({ signal }) => call("admin/settings/history", { section }, signal),
  });
  const restore = useMutation({
    mutationFn: (to: number) => call("admin/settings/restore", { section, version, to }),
    onSuccess: ({ message }) => toast.success(message),
    onSettled: () => queries.invalidateQueries({ queryKey: settingsKey }),
  });
  const versions = history.data?.versions ?? [];
  const button = (to: number, label: string) =>
    mayEdit && (
      <Button variant="default" size="md" loading={restore.isPending} onClick={() => restore.mutate(to)}>
        {label}
      </Button>
    );
  return (
    <Stack gap="md">
      {history.isPending && <ListLoading rows={2} />}
      {history.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void history.refetch()} />}
      {restore.error && <Refusal>{restore.error.message}</Refusal>}
      {versions.map((each, index) => (
        <Version key={each.version} version={each}>
          {index > 0 && button(each.version, `Restore version ${each.version}`)}
        </Version>
      ))}
      {history.data && (
        <Card withBorder radius="lg" padding="md">
          <Group justify="space-between">
            <Text fw={600}>As shipped</Text>
            {versions.length > 0 && button(0, "Restore what is shipped")}
          </Group>
        </Card>
      )}
    </Stack>
  );
}

function Version({ version, children }: { version: TextVersion; children: ReactNode }) {
  return (
    <Card withBorder radius="lg" padding="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={3} fz={16}>
            Version {version.version}
          </Title>
          <Text fz="sm" c="var(--site-muted)">
            {showTime(version.saved_at)}, {version.saved_by ?? "somebody who has left"}
          </Text>
        </div>
        {children}
      </Group>
      <List size="sm" mt="sm" style={{ overflowWrap: "anywhere" }}>
        {version.changes.map(({ field, before, after }) => (
          <List.Item key={field}>
            {field}: “{before}” became “{after}”
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
