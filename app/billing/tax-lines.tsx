import { Group, Text } from "@mantine/core";
import type { TaxShown } from "../../contract/billing.ts";
import { TaxNotes } from "./tax-notes.tsx";
import { showRupees } from "../components/display.ts";

/** The taxes of a sum, a line each, and what decides them. */
export function TaxLines({ tax }: { tax: TaxShown }) {
  return (
    <>
      {tax.taxes.map(({ name, percent, amount }) => (
        <Line key={name} name={`${name} ${percent}%`} amount={showRupees(amount)} />
      ))}
      {tax.roundOff && <Line name="Round-off" amount={showSigned(tax.roundOff)} />}
      <TaxNotes tax={tax} />
    </>
  );
}

const Line = ({ name, amount }: { name: string; amount: string }) => (
  <Group justify="space-between" gap="sm" wrap="nowrap">
    <Text c="var(--site-muted)">{name}</Text>
    <Text className="tabular">{amount}</Text>
  </Group>
);

const showSigned = (rupees: string) =>
  rupees.startsWith("-") ? `−${showRupees(rupees.slice(1))}` : showRupees(rupees);

/** The taxes in one line: "CGST 9% ₹90.00, SGST 9% ₹90.00"; "No GST" where none is charged. */
export const taxesInWords = ({ taxes }: Pick<TaxShown, "taxes">) =>
  taxes.length === 0
    ? "No GST"
    : taxes.map(({ name, percent, amount }) => `${name} ${percent}% ${showRupees(amount)}`).join(", ");

/** The same on the screen: a line breaks between two taxes, and not within one. */
export const unbrokenTaxes = (shown: Pick<TaxShown, "taxes">) => taxesInWords(shown).replaceAll(/(?<!,) /g, "\u00a0");
