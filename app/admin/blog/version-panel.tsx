import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messages } from "../../../contract/messages.ts";
import type { PostContent } from "../../../contract/posts.ts";
import { call } from "../../api.ts";
import { showTime } from "../../components/display.ts";
import { Refusal } from "../../components/refusal.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { SidePanel } from "../../components/side-panel.tsx";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import classes from "./blog.module.css";
import { compareLines } from "./compare-lines.ts";
import { changesBetween, fieldNames, textOfField } from "./post-changes.ts";
import type { PostEditing } from "./use-post-editor.ts";

export interface VersionPanelProps {
  id: string;
  version: number | null;
  editing: PostEditing;
  readOnly: boolean;
  onClose: () => void;
}

/** An earlier version, compared with what is typed now, and a button to restore it. */
export default function VersionPanel({ id, version, editing, readOnly, onClose }: VersionPanelProps) {
  const old = useQuery({
    queryKey: ["admin/posts/version", id, version],
    queryFn: ({ signal }) => call("admin/posts/version", { id, version: version ?? 0 }, signal),
    enabled: version !== null,
  });
  const { act } = editing;
  const restore = () =>
    act.mutate((seen) => call("admin/posts/restore", { ...seen, restored: version ?? 0 }), { onSuccess: onClose });
  return (
    <SidePanel
      opened={version !== null}
      title={old.data ? `Saved ${showTime(old.data.saved_at)}` : "Version"}
      subject={`${id} ${version}`}
      onClose={onClose}
    >
      {old.isLoading && <ListLoading rows={4} />}
      {old.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void old.refetch()} />}
      {old.data && (
        <Stack gap="lg">
          <Comparison old={old.data.content} now={editing.typed} />
          {!readOnly && changesBetween(old.data.content, editing.typed).length > 0 && (
            <Group>
              <Button mih={44} loading={act.isPending} onClick={restore}>
                Bring this version back
              </Button>
              <Text fz="sm" c="var(--site-muted)">
                It becomes the newest version. Visitors read it when you publish it.
                {editing.isDirty && " What you typed is saved first, as a version of its own."}
              </Text>
            </Group>
          )}
          {act.error && <Refusal>{act.error.message}</Refusal>}
        </Stack>
      )}
    </SidePanel>
  );
}

/** The differing fields; the text line by line. */
function Comparison({ old, now }: { old: PostContent; now: PostContent }) {
  const changed = changesBetween(old, now);
  if (changed.length === 0) return <Text>It is the same as what you see in the editor.</Text>;
  return changed.map((field) => (
    <PanelSection key={field} title={fieldNames[field]} hint="Struck out: then. Underlined: now.">
      <pre className={classes.old}>
        {compareLines(textOfField(field, old), textOfField(field, now)).map(({ line, is }, index) =>
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other key
          is === "gone" ? (
            <del key={index}>{`${line}\n`}</del>
          ) : is === "added" ? (
            <ins key={index}>{`${line}\n`}</ins>
          ) : (
            <span key={index}>{`${line}\n`}</span>
          ),
        )}
      </pre>
    </PanelSection>
  ));
}
