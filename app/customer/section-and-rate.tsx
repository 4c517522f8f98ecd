import { Group, NativeSelect, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Deducts } from "../../contract/transfers.ts";

/** Which of the operator's sections tax is deducted under, by its place in their list, or another one. */
export interface SectionTyped {
  chosen: string;
  section: string;
  percent: string;
}

export const noSection: SectionTyped = { chosen: "0", section: "", percent: "" };

const other = "other";

/** The deduction that is typed. */
export const deductionTyped = ({ chosen, section, percent }: SectionTyped, deductions: readonly Deducts[]): Deducts =>
  deductions[Number(chosen)] ?? { section, percent: Number(percent) };

/** Asks under which section, and at which rate, a buyer deducts tax. */
export function SectionAndRate<Typed extends SectionTyped>({
  form,
  deductions,
}: {
  form: UseFormReturnType<Typed>;
  deductions: readonly Deducts[];
}) {
  return (
    <>
      <NativeSelect
        label="Section and rate"
        description="Please ask your accountant which applies: of the taxable value, without GST"
        data={[
          ...deductions.map(({ section, percent }, index) => ({
            value: String(index),
            label: `${section}: ${percent}%`,
          })),
          { value: other, label: "Another one" },
        ]}
        {...form.getInputProps("chosen")}
      />
      {!deductions[Number(form.values.chosen)] && (
        <Group gap="md" align="flex-start" grow>
          <TextInput label="Section" required maxLength={40} {...form.getInputProps("section")} />
          <TextInput label="Percent" required inputMode="decimal" {...form.getInputProps("percent")} />
        </Group>
      )}
    </>
  );
}
