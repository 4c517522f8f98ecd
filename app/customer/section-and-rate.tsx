import { Group, NativeSelect, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { limits } from "../../contract/limits.ts";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { deductedPaise } from "../../contract/totals.ts";
import type { Deducts } from "../../contract/transfers.ts";
import { showRupees } from "../components/display.ts";
import { percentTyped } from "../forms/percent-typed.ts";
import type { SectionTyped } from "./order-fields.tsx";

const other = "other";

/** The chosen deduction, from the operator's list or as typed. */
export const deductionTyped = ({ chosen, section, percent }: SectionTyped, deductions: readonly Deducts[]): Deducts =>
  deductions[Number(chosen)] ?? { section, percent: percentTyped(percent) };

/** Fields for the section and rate at which a buyer deducts tax. */
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
        data-autofocus
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

/**
 * The deduction at a rate, and what is left to pay; nothing if that is impossible.
 * @param of rupees without GST that the deduction is taken from
 * @param open rupees to be paid
 */
export function WhatIsLeft({ of, open, percent }: { of: string; open: string; percent: number }) {
  // The percentage is not complete yet.
  if (Number.isNaN(percent)) return null;
  const paise = deductedPaise(paiseFrom(of), Math.round(percent * 100));
  const restPaise = paiseFrom(open) - paise;
  if (!(paise > 0) || restPaise + limits.deductedRoundingPaiseMax < 0) return null;
  return (
    <Text role="status">
      {restPaise <= limits.deductedRoundingPaiseMax
        ? `You deduct ${showRupees(open)}, and nothing is left to be paid.`
        : `You deduct ${formatRupees(paise)}, and ${formatRupees(restPaise)} are left to be paid.`}
    </Text>
  );
}
