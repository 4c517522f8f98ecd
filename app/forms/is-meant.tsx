import { Checkbox } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ChangeEvent } from "react";

const focusIt = (box: HTMLInputElement | null) => box?.focus();

/** Confirms an unlikely sum, day or payout once the server has asked, such as a sum far above its document's. */
export function IsMeant<Typed extends { is_meant: boolean }>({ form }: { form: UseFormReturnType<Typed> }) {
  const { error, ...field } = form.getInputProps("is_meant", { type: "checkbox" });
  return error || form.values.is_meant ? (
    <Checkbox ref={focusIt} label="The bank’s statement shows it just so" error={error} {...field} />
  ) : null;
}

/** Input props for a field whose value was confirmed: a change of it clears the confirmation. */
export function confirmedBy<Typed extends { is_meant: boolean }>(
  form: UseFormReturnType<Typed>,
  name: keyof Typed & string,
) {
  const { onChange, ...field } = form.getInputProps(name);
  return {
    ...field,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onChange(event);
      form.getInputProps("is_meant").onChange(false);
    },
  };
}
