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

/** Takes whoever sent a form to the first of the fields that something is said about. */
function goToError(form: { getInputNode(name: string): HTMLElement | null }, errors: object): void {
  const fields = Object.keys(errors).flatMap((name) => form.getInputNode(name) ?? []);
  const isBefore = (one: Node, other: Node) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  const first = fields.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))[0];
  // Of a group of boxes nothing but a box takes the focus.
  const field = first?.matches("div") ? first.querySelector("input") : first;
  field?.focus();
  // With what is said below it.
  field?.scrollIntoView({ block: "center" });
}

/** Sends what a form holds where all of it is right; otherwise goes to the first field that is not. */
export const submitting = <Values extends object>(form: UseFormReturnType<Values>, send: (typed: Values) => void) =>
  form.onSubmit(send, (errors) => goToError(form, errors));

/** Puts what is wrong beside the fields, and goes to the first. */
export function showErrors<Values extends object>(form: UseFormReturnType<Values>, errors: ApiError["fields"]): void {
  form.setErrors({ ...errors });
  goToError(form, errors);
}

/** Puts what the server says about fields beside them, and goes to the first. */
export const showServerErrors = <Values extends object>(form: UseFormReturnType<Values>, { fields }: ApiError) =>
  showErrors(form, fields);
