import { Checkbox } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

/** Confirms a sum that is far more than its document asks for, once the server has asked. */
export function IsMeant<Typed extends { is_meant: boolean }>({ form }: { form: UseFormReturnType<Typed> }) {
  const { error, ...field } = form.getInputProps("is_meant", { type: "checkbox" });
  return error || form.values.is_meant ? (
    <Checkbox label="The bank shows just this sum, for just this" error={error} {...field} />
  ) : null;
}
