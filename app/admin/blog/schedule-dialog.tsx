import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { later } from "../../../contract/durations.ts";
import { limits } from "../../../contract/limits.ts";
import { ApiError, call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import { asInstant, asTyped } from "../../forms/time-typed.ts";
import type { PostEditing } from "./use-post-editor.ts";
import { heldWhileSent } from "../../forms/held-while-sent.ts";

export interface ScheduleDialogProps {
  opened: boolean;
  onClose: () => void;
  editing: PostEditing;
}

/** Sets when visitors can read it; unsaved changes are saved first. */
export default function ScheduleDialog({ opened, onClose, editing }: ScheduleDialogProps) {
  const [typed, setTyped] = useState("");
  const [now] = useState(() => new Date());
  const { act } = editing;
  const problem = act.error instanceof ApiError ? act.error.fields["at"] : undefined;
  const schedule = () => {
    act.mutate((seen) => call("admin/posts/publish", { ...seen, at: asInstant(typed) }), { onSuccess: onClose });
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Schedule">
      <form
        noValidate
        {...heldWhileSent(act.isPending)}
        onSubmit={(event) => {
          event.preventDefault();
          if (typed && !act.isPending) schedule();
        }}
      >
        <Stack gap="md">
          <Text>Visitors can read it from then on, as last saved.</Text>
          <TextInput
            type="datetime-local"
            label="Publish on"
            description="By the clock in India."
            size="md"
            data-autofocus
            min={asTyped(now.toISOString())}
            max={asTyped(later(now, { days: limits.articleDaysAheadMax }).toISOString())}
            value={typed}
            error={problem}
            onChange={({ currentTarget: { value } }) => setTyped(value.slice(0, 16))}
          />
          {act.error && !problem && <Refusal>{act.error.message}</Refusal>}
          <Group justify="flex-end">
            <Button variant="default" mih={44} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" mih={44} loading={act.isPending} disabled={!typed}>
              Schedule
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
