import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { LeadFilters } from "../../../contract/lead-list.ts";
import { limits } from "../../../contract/limits.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { toast } from "../../toast.ts";
import { viewsKey } from "./use-leads.ts";
import { heldWhileSent } from "../../forms/held-while-sent.ts";

/** Asks for the name under which the filters are saved. */
export default function SaveView({ filters, onClose }: { filters: LeadFilters | null; onClose: () => void }) {
  const [name, setName] = useState("");
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => call("admin/leads/save-view", { name, filters: filters ?? {} }),
    onSuccess: async ({ message }) => {
      onClose();
      setName("");
      toast.success(message);
      await queries.invalidateQueries({ queryKey: viewsKey });
    },
  });
  return (
    <Dialog opened={filters !== null} onClose={onClose} title="Save View">
      <form
        {...heldWhileSent(save.isPending)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate();
        }}
      >
        <Stack gap="md" align="start">
          <TextInput
            w="100%"
            label="Name of the view"
            description="It replaces a view of yours with the same name."
            data-autofocus
            value={name}
            maxLength={limits.leadViewNameLengthMax}
            error={save.error?.message}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
