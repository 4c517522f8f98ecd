import { Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "../api.ts";
import { DialogEnd } from "./dialog-end.tsx";
import { showServerErrors, submitting } from "./form-errors.ts";
import { toast } from "../toast.ts";

/** The body of a dialog that sends one form: what is wrong stands at its field, and what was done is said. */
export function DialogForm<Typed extends object>({
  form,
  send,
  refresh,
  submit,
  isReady = true,
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
    onError: (error) => {
      if (error instanceof ApiError) showServerErrors(form, error);
      // It may have failed because somebody else was first: then the list shows what they did.
      void askAnew();
    },
  });
  const { error, isPending } = sending;
  // Not once more below what is said at a field already.
  const isSaidAtField =
    error instanceof ApiError &&
    Object.entries(error.fields).some(([field, said]) => said === error.message && form.getInputNode(field));
  return (
    <form
      noValidate
      onSubmit={submitting(form, (typed) => {
        if (isReady && !sending.isPending) sending.mutate(typed);
      })}
    >
      <Stack gap="md">
        {children}
        <DialogEnd
          sending={{ error: isSaidAtField ? null : error, isPending }}
          submit={submit}
          isReady={isReady}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
