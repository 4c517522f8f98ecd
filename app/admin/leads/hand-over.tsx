import { NativeSelect, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { heldWhileSent } from "../../forms/held-while-sent.ts";
import { toast } from "../../toast.ts";
import { refreshLeads, useOpenLeads, useOwners } from "./use-leads.ts";

export interface HandOverProps {
  /** Whose open leads are handed over; null while it is closed. */
  from: { id: string; name: string } | null;
  onClose: () => void;
  /** Called with the new owner. */
  onDone: (owner: string) => void;
}

/** Gives all open leads of somebody who has left to somebody else. */
export default function HandOver({ from, onClose, onDone }: HandOverProps) {
  const [to, setTo] = useState("");
  const { owners, failure } = useOwners();
  const open = useOpenLeads(from?.id ?? null);
  const queries = useQueryClient();
  const give = useMutation({
    mutationFn: () => call("admin/leads/hand-over", { from: from?.id ?? "", to }),
    onSuccess: async ({ message }) => {
      onClose();
      toast.success(message);
      onDone(to);
      await refreshLeads(queries);
    },
    onError: (error) => toast.error("Nothing was changed.", { description: error.message }),
  });
  return (
    <Dialog opened={from !== null} onClose={onClose} title="Hand Over Leads">
      <form
        {...heldWhileSent(give.isPending)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!give.isPending && to) give.mutate();
        }}
      >
        <Stack gap="md" align="start">
          <Text style={{ overflowWrap: "anywhere" }}>
            <bdi>{from?.name}</bdi> owns {open?.words ?? "…"}. {open?.count === 1 ? "It gets" : "All of them get"}{" "}
            another owner, at once.
          </Text>
          <NativeSelect
            w="100%"
            label="New owner"
            error={failure}
            data-autofocus
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            data={[
              { value: "", label: "Please choose" },
              ...owners.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <ReadyButton type="submit" size="md" loading={give.isPending} isReady={to !== ""}>
            Hand over
          </ReadyButton>
        </Stack>
      </form>
    </Dialog>
  );
}
