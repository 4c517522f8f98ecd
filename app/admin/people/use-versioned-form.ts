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
 * A form about a record that somebody else may change meanwhile: what was typed stays, and it is saved over theirs only
 * by whoever has seen that.
 */
export function useVersionedForm<Values extends Record<string, string>>({
  keptAs,
  saved,
  validate,
  save,
  onSaved,
}: {
  /** Under which name what is typed is kept. */
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
      // It may be gone before what is saved comes back.
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
  // Told when it is sent: the refusal says of each field what is saved now.
  const overtaken = behind && isRefused ? { children: problem, ...behind } : null;
  return {
    form,
    saving,
    submit: submitting(form, (values) => saving.mutate(values)),
    overtaken,
    problem: overtaken ? null : problem,
  };
}
