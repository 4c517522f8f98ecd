import type { UseFormReturnType } from "@mantine/form";
import type { z } from "zod";
import type { ApiError } from "../api.ts";

/** Validates a form by the contract's schema; gives the first message of each field, as @mantine/form takes it. */
export function fieldErrors(schema: z.ZodType): (values: object) => Record<string, string> {
  return (values) => {
    const parsed = schema.safeParse(values);
    const errors: Record<string, string> = {};
    for (const issue of parsed.error?.issues ?? []) errors[issue.path.join(".")] ??= issue.message;
    return errors;
  };
}

/** Moves the focus to the topmost field with an error. */
function goToError(form: { getInputNode(name: string): HTMLElement | null }, errors: object): void {
  const fields = Object.keys(errors).flatMap((name) => form.getInputNode(name) ?? []);
  const isBefore = (one: Node, other: Node) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  const first = fields.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))[0];
  // In a group of boxes only an input can take the focus.
  const field = first?.matches("div") ? first.querySelector("input") : first;
  goToField(field);
}

/** Moves the focus to a field; without one, nothing happens. */
export function goToField(field: HTMLElement | null | undefined): void {
  field?.focus();
  // Centred, so that the message below it shows too.
  field?.scrollIntoView({ block: "center" });
}

/** A submit handler: sends the form if it is valid, else focuses the first invalid field. */
export const submitting = <Values extends object>(form: UseFormReturnType<Values>, send: (typed: Values) => void) =>
  form.onSubmit(send, (errors) => goToError(form, errors));

/** Shows errors at their fields, and focuses the first. */
export function showErrors<Values extends object>(form: UseFormReturnType<Values>, errors: ApiError["fields"]): void {
  form.setErrors({ ...errors });
  goToError(form, errors);
}

/** Shows the server's errors at their fields, and focuses the first. */
export const showServerErrors = <Values extends object>(form: UseFormReturnType<Values>, { fields }: ApiError) =>
  showErrors(form, fields);
