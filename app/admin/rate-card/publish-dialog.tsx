import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { later } from "../../../contract/durations.ts";
import { indiaCalendar } from "../../../contract/india-time.ts";
import { limits } from "../../../contract/limits.ts";
import type { Rates } from "../../../contract/rates.ts";
import { ApiError, call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { showDay } from "../../components/display.ts";
import { Refusal } from "../../components/refusal.tsx";
import { toast } from "../../toast.ts";
import type { CardEditor } from "./use-card-editor.ts";
import { whatChanges } from "./what-changes.ts";
import { heldWhileSent } from "../../forms/held-while-sent.ts";

export interface PublishDialogProps {
  opened: boolean;
  onClose: () => void;
  editor: CardEditor;
  rates: Rates;
}

/** Sets when the card comes into force; unsaved changes are saved first. */
export default function PublishDialog({ opened, onClose, editor, rates }: PublishDialogProps) {
  const [when, setWhen] = useState<"now" | "day">("now");
  const [day, setDay] = useState("");
  const publish = usePublish(editor, rates, when === "now" ? null : day, onClose);
  const fieldError = publish.error instanceof ApiError ? publish.error.fields["from"] : undefined;
  const missing = when === "day" && day === "";
  return (
    <Dialog opened={opened} onClose={onClose} title="Publish the rate card">
      <form
        noValidate
        {...heldWhileSent(publish.isPending)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing && !publish.isPending) publish.mutate();
        }}
      >
        <Stack gap="md">
          <WhatChanges editor={editor} rates={rates} />
          <Text>
            From then on, estimates are priced by this card. Existing quotes keep their prices, names and tax.
          </Text>
          <ComingCard latest={rates.latest} />
          <SegmentedControl
            aria-label="When it comes into force"
            fullWidth
            size="md"
            value={when}
            onChange={(chosen) => setWhen(chosen === "day" ? "day" : "now")}
            data={[
              { value: "now", label: "At once" },
              { value: "day", label: "From a day" },
            ]}
          />
          {when === "day" && (
            <TextInput
              type="date"
              label="In force from"
              description="From the start of the day in India."
              min={dayAhead(1)}
              max={dayAhead(limits.rateCardDaysAheadMax - 1)}
              value={day}
              error={fieldError}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          )}
          {publish.error && (when === "now" || !fieldError) && <Refusal>{publish.error.message}</Refusal>}
          <Group justify="flex-end">
            <Button variant="default" mih={44} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" mih={44} loading={publish.isPending} disabled={missing}>
              Publish
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Saves pending changes first. */
function usePublish(editor: CardEditor, { draft }: Rates, from: string | null, onDone: () => void) {
  return useMutation({
    async mutationFn() {
      const mustSave = editor.isDirty || draft === null;
      const id = mustSave ? (await editor.save.mutateAsync()).id : editor.saved.id;
      return call("admin/rates/publish", { id, from });
    },
    onSuccess: async ({ message }) => {
      await editor.refresh();
      toast.success(message);
      onDone();
    },
    onError: (error) => error instanceof ApiError && error.status === 409 && void editor.refresh(),
  });
}

/** As it was asked: the card that was published changes nothing any more while the dialog closes. */
function WhatChanges({ editor, rates }: Pick<PublishDialogProps, "editor" | "rates">) {
  const [says] = useState(() => whatChanges(rates.latest.content, editor.content));
  return <Text fw={600}>{says}</Text>;
}

function ComingCard({ latest }: { latest: Rates["latest"] }) {
  if (latest.state !== "coming") return null;
  return (
    <Alert color="orange" variant="light">
      Card {latest.number} comes into force on {showDay(latest.in_force_from)}. This one can only come after it; to
      change prices earlier, withdraw that card first.
    </Alert>
  );
}

const dayAhead = (days: number) => indiaCalendar(later(new Date(), { days })).toISOString().slice(0, 10);
