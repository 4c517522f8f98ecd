import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api.ts";
import { toast } from "../../toast.ts";
import { refreshPeople } from "./refresh-people.ts";

/**
 * A form about a record that somebody else may change meanwhile: what was typed stays, and it is saved over theirs only
 * by whoever has seen that.
 */
export function useVersionedForm<Values extends Record<string, string>>({
  saved,
  validate,
  save,
  onSaved,
}: {
  saved: { version: number; values: Values };
  validate: (values: Values) => Record<string, string>;
  save: (values: Values, version: number) => Promise<{ message: string }>;
  onSaved?: () => void;
}) {
  const queries = useQueryClient();
  const [version, setVersion] = useState(saved.version);
  const form = useForm<Values>({ initialValues: saved.values, validate: (values) => validate(values) });
  const saving = useMutation({
    mutationFn: (values: Values) => save(values, version),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onSaved?.();
      await refreshPeople(queries);
    },
    onError: async (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      if (error instanceof ApiError && error.status === 409) await refreshPeople(queries);
    },
  });
  const isOvertaken = saving.error instanceof ApiError && saving.error.status === 409;
  const goOn = () => {
    setVersion(saved.version);
    form.clearErrors();
    saving.reset();
  };
  return {
    form,
    saving,
    submit: form.onSubmit((values) => saving.mutate(values)),
    overtaken: isOvertaken
      ? {
          children: saving.error?.message ?? "",
          onKeep: goOn,
          onTake: () => {
            form.setValues(saved.values);
            goOn();
          },
        }
      : null,
    problem: saving.error && !isOvertaken ? saving.error.message : null,
  };
}
