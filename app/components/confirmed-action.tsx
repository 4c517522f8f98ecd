import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "../toast.ts";
import type { ConfirmDialogProps } from "./confirm-dialog.tsx";
import { openedLater } from "./later.tsx";

const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("./confirm-dialog.tsx"), { opened: false });

/** A button for a destructive action: it asks for confirmation, tells the outcome and invalidates `stale`. */
export function ConfirmedAction({
  label,
  about,
  title,
  confirm = label,
  destructive,
  failed,
  act,
  onDone,
  stale,
  children,
  ...button
}: {
  /** The button's label; `about` names its object for screen readers. */
  label: string;
  about: string;
  title: string;
  /** The label of the dialog's button, if it differs from `label`. */
  confirm?: string;
  /** Whether the action takes something away: the dialog's button is red then, as by default. */
  destructive?: boolean;
  /** The title above the reason of a failure: "It could not be removed." */
  failed: string;
  act: () => Promise<{ message: string; description?: string }>;
  onDone?: () => void;
  /** Queries to invalidate, even after a failure: somebody else may have acted first. */
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
        destructive={destructive}
        pending={acting.isPending}
        onClose={confirmation.close}
        onConfirm={() => acting.mutate()}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
