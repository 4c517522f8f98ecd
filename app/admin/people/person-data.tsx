import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import type { DataRequestKind } from "../../../contract/data-requests.ts";
import { call } from "../../api.ts";
import type { ConfirmDialogProps } from "../../components/confirm-dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import { openedLater } from "../../components/later.tsx";
import { toast } from "../../toast.ts";
import { refreshPeople } from "./refresh-people.ts";

const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("../../components/confirm-dialog.tsx"), {
  opened: false,
});

/** Asks for a copy of a person's data, or its erasure. `onAsk` is called when a confirmation opens or closes. */
export function PersonData({
  email,
  isAtList = false,
  asking,
  onAsk,
}: {
  email: string;
  /** Whether it is shown above the list of data requests, which then needs no link. */
  isAtList?: boolean;
  asking: boolean;
  onAsk: (asking: boolean) => void;
}) {
  const queries = useQueryClient();
  const ask = useMutation({
    mutationFn: ({ kind, confirm }: { kind: DataRequestKind; confirm?: string }) =>
      call("admin/people/request-data", { id: crypto.randomUUID(), kind, email, ...(confirm && { confirm }) }),
    onSuccess: ({ message }) => toast.success(message),
    onSettled: () => {
      onAsk(false);
      return refreshPeople(queries);
    },
  });
  return (
    <Stack gap="md">
      {ask.error && <Refusal>{ask.error.message}</Refusal>}
      <Text fz="sm" c="var(--site-muted)">
        For requests under the Digital Personal Data Protection Act. You can follow them{" "}
        {isAtList ? (
          "in the list behind this dialog."
        ) : (
          <>
            under{" "}
            <Anchor component={Link} to="/admin/data-requests" fz="sm" style={{ textDecoration: "underline" }}>
              Data requests
            </Anchor>
            .
          </>
        )}
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          size="md"
          loading={ask.isPending && ask.variables.kind === "export"}
          onClick={() => ask.mutate({ kind: "export" })}
        >
          Make a copy of all data
        </Button>
        <Button variant="default" size="md" onClick={() => onAsk(true)}>
          Erase
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        title="Erase this person"
        confirm="Erase for good"
        typed={{ label: `Type ${email} to go on`, text: email }}
        pending={ask.isPending}
        onClose={() => onAsk(false)}
        onConfirm={() => ask.mutate({ kind: "erasure", confirm: email })}
      >
        Name, phone, e-mail address, sign-ins, messages, notes and estimates that were not bought are deleted for good.
        Orders and invoices keep what the law requires.
      </ConfirmDialog>
    </Stack>
  );
}
