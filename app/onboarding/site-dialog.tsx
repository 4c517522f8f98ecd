import { Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "../../contract/limits.ts";
import { ApiError, call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { toast } from "../toast.ts";

export interface SiteDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Adds a place where devices stand. */
export default function SiteDialog({ opened, onClose }: SiteDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Add a site">
      {opened && <SiteForm onClose={onClose} />}
    </Dialog>
  );
}

function SiteForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [id] = useState(() => crypto.randomUUID());
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const sending = useMutation({
    mutationFn: () => call("user/onboarding/add-site", { id, name, address }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: ["user/onboarding"] });
      onClose();
    },
  });
  const fields = sending.error instanceof ApiError ? sending.error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending.isPending) sending.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder="Plant 2"
          maxLength={limits.siteLineLengthMax}
          data-autofocus
          error={fields["name"]}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Address"
          maxLength={limits.obligationLineLengthMax}
          error={fields["address"]}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <DialogEnd sending={sending} submit="Add" isReady={Boolean(name.trim() && address.trim())} onClose={onClose} />
      </Stack>
    </form>
  );
}
