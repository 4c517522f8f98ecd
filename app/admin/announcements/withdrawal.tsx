import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Announcement } from "../../../contract/announcements.ts";
import { call } from "../../api.ts";
import type { ConfirmDialogProps } from "../../components/confirm-dialog.tsx";
import { openedLater } from "../../components/later.tsx";
import { newsKey } from "../../portal/use-news.ts";
import { toast } from "../../toast.ts";

const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("../../components/confirm-dialog.tsx"), {
  opened: false,
});

/** Takes an announcement back, once asked. */
export function Withdrawal({ announcement: { id, version, title } }: { announcement: Announcement }) {
  const [asking, confirmation] = useDisclosure(false);
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => call("admin/announcements/withdraw", { id, version }),
    onSuccess: ({ message }) => {
      confirmation.close();
      toast.success(message);
    },
    onError: (error) => toast.error("It was not withdrawn.", { description: error.message }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["admin/announcements"] }),
        queries.invalidateQueries({ queryKey: newsKey }),
      ]),
  });
  return (
    <>
      <Button variant="default" aria-label={`Withdraw ${title}`} onClick={confirmation.open}>
        Withdraw
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Withdraw the announcement"
        confirm="Withdraw"
        pending={withdraw.isPending}
        onClose={confirmation.close}
        onConfirm={() => withdraw.mutate()}
      >
        <bdi>{title}</bdi> leaves every banner and bell at once, for good. Mails that went out stay where they are.
      </ConfirmDialog>
    </>
  );
}
