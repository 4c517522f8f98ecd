import { Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { ApiError } from "../api.ts";
import { useEscape } from "../components/use-escape.ts";
import { DialogEnd } from "./dialog-end.tsx";
import { showServerErrors, submitting } from "./form-errors.ts";
import { saidBesides } from "./said-besides.ts";
import { toast } from "../toast.ts";
import { heldWhileSent } from "./held-while-sent.ts";

/** The body of a dialog that sends one form: what is wrong stands at its field, and what was done is said. */
export function DialogForm<Typed extends object>({
  form,
  send,
  refresh,
  submit,
  isReady = true,
  onRefused,
  onClose,
  children,
}: {
  form: UseFormReturnType<Typed>;
  send: (typed: Typed) => Promise<{ message: string }>;
  /** The names of the operations whose answers have changed. */
  refresh: readonly QueryKey[number][];
  submit: string;
  /** Whether enough is filled in to send it. */
  isReady?: boolean;
  /** Somebody else had changed what this changes, which is asked anew by then. Answers whether it tells of that itself. */
  onRefused?: () => boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const askAnew = () => Promise.all(refresh.map((name) => queries.invalidateQueries({ queryKey: [name] })));
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async ({ message }) => {
      toast.success(message);
      // Before it closes: the focus goes back to a list that stays as it is.
      await askAnew();
      onClose();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      showServerErrors(form, error);
      if (error.status !== 409 || !onRefused) return;
      await askAnew();
      if (onRefused()) sending.reset();
    },
  });
  useAfterFailure(sending.isError, askAnew);
  // It closes by itself once it is sent: closed before, its answer would find another one open.
  useEscape(sending.isPending, () => {});
  const error = saidBesides(sending.error, (field) => form.getInputNode(field) !== null);
  return (
    <form
      noValidate
      {...heldWhileSent(sending.isPending)}
      onSubmit={submitting(form, (typed) => {
        if (isReady && !sending.isPending) sending.mutate(typed);
      })}
    >
      <Stack gap="md">
        {children}
        <DialogEnd
          sending={{ error, isPending: sending.isPending }}
          submit={submit}
          isReady={isReady}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

/**
 * It may have failed because somebody else was first: then the list shows what they did, once the dialog is closed. Before
 * that the entry that it stands in would go, and with it the refusal and all that was typed.
 */
export function useAfterFailure(failed: boolean, askAnew: () => Promise<unknown>): void {
  const close = useEffectEvent(() => {
    if (failed) void askAnew();
  });
  useEffect(() => () => close(), []);
}
