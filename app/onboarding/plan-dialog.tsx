import { NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "../../contract/limits.ts";
import type { Onboarding, OnboardingItem } from "../../contract/onboarding.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { toast } from "../toast.ts";

export interface PlanDialogProps {
  reader: "user" | "admin";
  people: Onboarding["people"];
  item: OnboardingItem | null;
  onClose: () => void;
}

/** Says whose move a line is, who does it and until when. */
export default function PlanDialog({ item, onClose, ...rest }: PlanDialogProps) {
  return (
    <Dialog opened={item !== null} onClose={onClose} title={item ? `Plan: ${item.title}` : ""}>
      {item && <PlanForm key={item.id} item={item} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function PlanForm({ reader, people, item, onClose }: PlanDialogProps & { item: OnboardingItem }) {
  const queries = useQueryClient();
  const [side, setSide] = useState(item.side);
  const [ownerId, setOwnerId] = useState(item.owner?.id ?? "");
  const [dueOn, setDueOn] = useState(item.dueOn);
  const [note, setNote] = useState(item.note);
  const sending = useMutation({
    mutationFn: () =>
      call(`${reader}/onboarding/plan`, {
        id: item.id,
        version: item.version,
        side,
        dueOn,
        note,
        ownerId: ownerId || null,
      }),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [`${reader}/onboarding`] }),
  });
  const sides =
    reader === "user" ? { yours: "Ours", ours: "The service’s" } : { yours: "The customer’s", ours: "Ours" };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending.isPending) sending.mutate();
      }}
    >
      <Stack gap="md">
        <NativeSelect
          label="Whose move"
          data={[
            { value: "yours", label: sides.yours },
            { value: "ours", label: sides.ours },
          ]}
          value={side}
          data-autofocus
          onChange={(event) => {
            setSide(event.currentTarget.value as OnboardingItem["side"]);
            setOwnerId("");
          }}
        />
        <NativeSelect
          label="Who does it"
          data={[
            { value: "", label: "Nobody is named" },
            ...people[side].map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={ownerId}
          onChange={(event) => setOwnerId(event.currentTarget.value)}
        />
        <TextInput type="date" label="Until" value={dueOn} onChange={(event) => setDueOn(event.currentTarget.value)} />
        <Textarea
          label="Note"
          description="Both sides read it."
          autosize
          minRows={2}
          maxLength={limits.messageLengthMax}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <DialogEnd sending={sending} submit="Save" isReady={dueOn !== ""} onClose={onClose} />
      </Stack>
    </form>
  );
}
