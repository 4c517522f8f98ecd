import { Alert, Button, Group, Skeleton, Stack } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { messages } from "../../contract/messages.ts";
import type { RegulatorClock } from "../../contract/obligations.ts";
import { call } from "../api.ts";
import { copyText } from "../components/copy-text.ts";
import { Dialog } from "../components/dialog.tsx";
import { downloadAnswer } from "../lists/download.ts";
import { ListFailed } from "../lists/list-state.tsx";
import { toast } from "../toast.ts";
import classes from "./obligations.module.css";

export interface DraftDialogProps {
  reader: "user" | "admin";
  incidentId: string;
  clock: RegulatorClock | null;
  onClose: () => void;
}

/** A draft in the order of the regulator's form, to copy or save. */
export default function DraftDialog({ reader, incidentId, clock, onClose }: DraftDialogProps) {
  return (
    <Dialog opened={clock !== null} onClose={onClose} title={clock ? `Draft: ${clock.title}` : ""} size="xl">
      {clock && <Draft key={clock.key} reader={reader} incidentId={incidentId} clock={clock} />}
    </Dialog>
  );
}

function Draft({ reader, incidentId, clock }: Omit<DraftDialogProps, "onClose"> & { clock: RegulatorClock }) {
  const name = `${reader}/incidents/{id}/draft` as const;
  const ask = (format: "text" | "pdf") => call(name, { id: incidentId, key: clock.key, format });
  const found = useQuery({
    queryKey: [name, { id: incidentId, key: clock.key }],
    queryFn: () => ask("text"),
    gcTime: 0,
  });
  const saving = useMutation({
    mutationFn: ask,
    onSuccess: downloadAnswer,
    onError: (error) => toast.error(error.message),
  });
  if (found.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton h={240} radius="md" />;
  const { text } = found.data;
  return (
    <Stack gap="md">
      <Alert color="orange" variant="light" role="note">
        A draft. Read it, complete it, and file it yourself; then mark it as filed.
      </Alert>
      <pre className={classes.draft} tabIndex={0} aria-label="The draft">
        {text}
      </pre>
      <Group justify="flex-end" className="share-a-row">
        <Button variant="default" size="md" onClick={() => void copyText(text)}>
          Copy
        </Button>
        <Button variant="default" size="md" onClick={() => saving.mutate("text")} disabled={saving.isPending}>
          Save as text
        </Button>
        <Button size="md" onClick={() => saving.mutate("pdf")} loading={saving.isPending}>
          Save as PDF
        </Button>
      </Group>
    </Stack>
  );
}
