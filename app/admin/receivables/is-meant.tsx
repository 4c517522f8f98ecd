import { Checkbox } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ChangeEvent } from "react";

const focusIt = (box: HTMLInputElement | null) => box?.focus();

/** Confirms what is unlikely, such as a sum far above its document's, a day before it or a pay-out that came back, once the server has asked. */
export function IsMeant<Typed extends { is_meant: boolean }>({ form }: { form: UseFormReturnType<Typed> }) {
  const { error, ...field } = form.getInputProps("is_meant", { type: "checkbox" });
  return error || form.values.is_meant ? (
    <Checkbox ref={focusIt} label="The bank’s statement shows it just so" error={error} {...field} />
  ) : null;
}

/** What a field needs of which something is confirmed: once another is typed, it is to be confirmed anew. */
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
