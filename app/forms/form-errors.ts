import type { UseFormReturnType } from "@mantine/form";
import type { z } from "zod";
import type { ApiError } from "../api.ts";

/** Checks a form by the contract's schema; answers the first message of each field, as @mantine/form takes it. */
export function fieldErrors(schema: z.ZodType): (values: object) => Record<string, string> {
  return (values) => {
    const parsed = schema.safeParse(values);
    const errors: Record<string, string> = {};
    for (const issue of parsed.error?.issues ?? []) errors[issue.path.join(".")] ??= issue.message;
    return errors;
  };
}

/** Puts what the server says about fields beside them. */
export function showServerErrors<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: ApiError,
): void {
  form.setErrors({ ...error.fields });
}
