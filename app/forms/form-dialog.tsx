import { Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { ApiError } from "../api.ts";
import { useEscape } from "../components/use-escape.ts";
import { DialogEnd } from "./dialog-end.tsx";
import { startInFirstField } from "./first-field.ts";
import { showServerErrors, submitting } from "./form-errors.ts";
import { saidBesides } from "./said-besides.ts";
import { toast } from "../toast.ts";
import { heldWhileSent } from "./held-while-sent.ts";

/** The body of a dialog that sends one form: errors show at their fields, and success shows as a toast. */
export function DialogForm<Typed extends object>({
  form,
  send,
  refresh,
  submit,
  isReady = true,
  destructive = false,
  onRefused,
  onClose,
  children,
}: {
  form: UseFormReturnType<Typed>;
  send: (typed: Typed) => Promise<{ message: string }>;
  /** The query keys whose data the change affects. */
  refresh: readonly QueryKey[number][];
  submit: string;
  /** Whether enough is filled in to send. */
  isReady?: boolean;
  /** Whether it takes something away for good. */
  destructive?: boolean;
  /** Called after a refusal for a newer version, once that is refetched. Returns whether the caller tells of it. */
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
      // Before closing, so that the focus returns to a list that no longer changes.
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
  // Escape waits for the answer, which closes the dialog: otherwise it might close another one, opened since.
  useEscape(sending.isPending, () => {});
  const error = saidBesides(sending.error, (field) => form.getInputNode(field) !== null);
  return (
    <form
      noValidate
      ref={startInFirstField}
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
          destructive={destructive}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

/**
 * The change may have failed because somebody else was first. The list is refetched only when the dialog closes:
 * earlier, the row that holds the dialog could go, and with it the error and all that was typed.
 */
export function useAfterFailure(failed: boolean, askAnew: () => Promise<unknown>): void {
  const close = useEffectEvent(() => {
    if (failed) void askAnew();
  });
  useEffect(() => () => close(), []);
}
