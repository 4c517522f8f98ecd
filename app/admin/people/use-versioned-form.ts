import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api.ts";
import { keepTyped } from "../../forms/kept-typed.ts";
import { submitting } from "../../forms/form-errors.ts";
import { isSame } from "../../forms/with-typed.ts";
import { useTypedOn } from "../../forms/use-typed-on.ts";
import { toast } from "../../toast.ts";
import { refreshPeople } from "./refresh-people.ts";

/**
 * A form for a record that somebody else may change meanwhile: what was typed stays, and overwrites their change only
 * once the user has seen it.
 */
export function useVersionedForm<Values extends Record<string, string>>({
  keptAs,
  saved,
  validate,
  save,
  onSaved,
}: {
  /** The name under which unsaved input is kept. */
  keptAs: string;
  saved: { version: number; values: Values };
  validate: (values: Values) => Record<string, string>;
  save: (values: Values, version: number) => Promise<{ message: string; version: number }>;
  onSaved?: () => void;
}) {
  const queries = useQueryClient();
  const form = useForm<Values>({ initialValues: saved.values, validate: (values) => validate(values) });
  const saving = useMutation({
    mutationFn: (values: Values) => save(values, version),
    onSuccess: async ({ message, version: saved }, values) => {
      toast.success(message);
      noteSent(values, saved);
      // The form may unmount before the refetch ends.
      if (isSame(form.getValues(), values)) keepTyped(keptAs, null);
      onSaved?.();
      await refreshPeople(queries);
    },
    onError: async (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      if (error instanceof ApiError && error.status === 409) await refreshPeople(queries);
    },
  });
  const [version, behind, noteSent] = useTypedOn(keptAs, form, saved.values, saved.version, () => {
    form.clearErrors();
    saving.reset();
  });
  const problem = saving.error?.message ?? null;
  const isRefused = saving.error instanceof ApiError && saving.error.status === 409;
  // Shown once a save is refused: the refusal says for each field what is saved now.
  const overtaken = behind && isRefused ? { children: problem, ...behind } : null;
  return {
    form,
    saving,
    submit: submitting(form, (values) => saving.mutate(values)),
    overtaken,
    problem: overtaken ? null : problem,
  };
}
