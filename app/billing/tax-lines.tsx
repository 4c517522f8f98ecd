import { Group, Text } from "@mantine/core";
import type { TaxShown } from "../../contract/billing.ts";
import { showRupees } from "../components/display.ts";

/** The taxes of a sum, a line each, and the round-off of the total. */
export const TaxLines = ({ tax }: { tax: TaxShown }) => (
  <>
    {tax.taxes.map(({ name, percent, amount }) => (
      <SumLine key={name} name={`${name} ${percent}%`} amount={showRupees(amount)} />
    ))}
    {tax.roundOff && <SumLine name="Round-off" amount={showSigned(tax.roundOff)} />}
  </>
);

export const SumLine = ({ name, amount }: { name: string; amount: string }) => (
  <Group justify="space-between" gap="0 var(--mantine-spacing-sm)">
    <Text c="var(--site-muted)">{name}</Text>
    <Text className="tabular" ms="auto" style={{ whiteSpace: "nowrap" }}>
      {amount}
    </Text>
  </Group>
);

export const showSigned = (rupees: string) =>
  rupees.startsWith("-") ? `−${showRupees(rupees.slice(1))}` : showRupees(rupees);

/** The taxes on one line: "CGST 9% ₹90.00, SGST 9% ₹90.00"; "No GST" if none is charged. */
export const taxesInWords = ({ taxes }: Pick<TaxShown, "taxes">) =>
  taxes.length === 0
    ? "No GST"
    : taxes.map(({ name, percent, amount }) => `${name} ${percent}% ${showRupees(amount)}`).join(", ");

/** The same with non-breaking spaces: lines break between taxes, not within one. */
export const unbrokenTaxes = (shown: Pick<TaxShown, "taxes">) => taxesInWords(shown).replaceAll(/(?<!,) /g, "\u00a0");
