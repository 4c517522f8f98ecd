import { Alert, Button, Group, Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "../api.ts";
import { toast } from "../toast.ts";

/** Adds or changes a record in a dialog: what was typed stays until it is saved, and the list is asked for anew. */
export function RecordForm<Typed extends object>({
  form,
  save,
  button,
  list,
  onClose,
  children,
}: {
  form: UseFormReturnType<Typed>;
  save: (typed: Typed) => Promise<{ message: string }>;
  button: string;
  list: QueryKey;
  onClose: () => void;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: list }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((typed) => saving.mutate(typed))}>
      <Stack gap="md">
        {saving.error && (
          <Alert color="red" role="alert">
            {saving.error.message}
          </Alert>
        )}
        {children}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" size="md" onClick={onClose} disabled={saving.isPending}>
            Cancel
          </Button>
          <Button type="submit" size="md" loading={saving.isPending}>
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
