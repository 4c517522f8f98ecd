import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "../toast.ts";
import type { ConfirmDialogProps } from "./confirm-dialog.tsx";
import { openedLater } from "./later.tsx";

const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("./confirm-dialog.tsx"), { opened: false });

/** A button for what takes something away: it asks first, says what came of it, and has what it shows asked for anew. */
export function ConfirmedAction({
  label,
  about,
  title,
  confirm = label,
  failed,
  act,
  onDone,
  stale,
  children,
  ...button
}: {
  /** On the button, where `about` says for a screen reader what of. */
  label: string;
  about: string;
  title: string;
  /** What the dialog's button is called, where it is not called as the first. */
  confirm?: string;
  /** Above the reason, when it could not be done: "It was not removed." */
  failed: string;
  act: () => Promise<{ message: string; description?: string }>;
  onDone?: () => void;
  /** What is known no more, done or not: somebody else may have been faster. */
  stale: readonly QueryKey[];
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
} & ButtonProps) {
  const [asking, confirmation] = useDisclosure(false);
  const queries = useQueryClient();
  const acting = useMutation({
    mutationFn: act,
    onSuccess: ({ message, description }) => {
      confirmation.close();
      toast.success(message, description ? { description } : undefined);
      onDone?.();
    },
    onError: (error) => toast.error(failed, { description: error.message }),
    onSettled: () => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  return (
    <>
      <Button variant="default" aria-label={`${label} ${about}`} {...button} onClick={confirmation.open}>
        {label}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={title}
        confirm={confirm}
        pending={acting.isPending}
        onClose={confirmation.close}
        onConfirm={() => acting.mutate()}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
