import { Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messages } from "../../../contract/messages.ts";
import type { EditableObligation } from "../../../contract/obligations.ts";
import { call } from "../../api.ts";
import { isolated, showTime, showWrittenDay } from "../../components/display.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Facts } from "../../components/panel-section.tsx";
import { ListFailed } from "../../lists/list-state.tsx";
import { showDeadline } from "./show-deadline.ts";

export interface HistoryDialogProps {
  shown: EditableObligation | null;
  onClose: () => void;
}

/** The versions of an obligation, newest first. */
export default function HistoryDialog({ shown, onClose }: HistoryDialogProps) {
  return (
    <Dialog opened={shown !== null} onClose={onClose} title={shown ? `Versions: ${shown.words.title}` : ""} size="lg">
      {shown && <Versions key={shown.key} obligationKey={shown.key} />}
    </Dialog>
  );
}

function Versions({ obligationKey }: { obligationKey: string }) {
  const found = useQuery({
    queryKey: ["admin/obligations/history", { key: obligationKey }],
    queryFn: async ({ signal }) => (await call("admin/obligations/history", { key: obligationKey }, signal)).versions,
  });
  if (found.isError) return <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton h={160} radius="md" />;
  return (
    <Stack gap="lg" component="ol" p={0} m={0} style={{ listStyle: "none" }}>
      {found.data.map(({ version, words, verified, changed }) => (
        <li key={version}>
          <Text fw={650} component="h3" fz="md">
            {version === 0 ? "As shipped" : `Version ${version}`}
          </Text>
          <Facts
            facts={[
              ["Written", changed ? `${isolated(changed.name)}, ${showTime(changed.at)}` : "With the product"],
              ["Verified", verified ? `${isolated(verified.by)}, ${showTime(verified.on)}` : "By nobody"],
              ["Shown", words.on ? "On" : "Off"],
              ["Title", words.title],
              ["Time", showDeadline(words.deadline)],
              ["Recipient", words.recipient],
              ["In force from", words.validFrom && showWrittenDay(words.validFrom)],
              ["To", words.validTo && showWrittenDay(words.validTo)],
              ["Source", words.source],
              ["Note", words.note],
            ]}
          />
        </li>
      ))}
    </Stack>
  );
}
