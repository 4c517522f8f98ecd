import { Textarea } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { limits } from "../../../contract/limits.ts";

/** Why money is entered otherwise than as it came; `hint` says who reads it, or gives examples. */
export const ReasonField = <Typed extends { reason: string }>({
  form,
  hint,
  isFirst = true,
}: {
  form: UseFormReturnType<Typed>;
  hint: string;
  /** Whether the dialog starts in it. */
  isFirst?: boolean;
}) => (
  <Textarea
    label="Reason"
    description={hint}
    autosize
    minRows={2}
    required
    {...(isFirst && { "data-autofocus": true })}
    maxLength={limits.actionReasonLengthMax}
    {...form.getInputProps("reason")}
  />
);
