import { Group, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Billing } from "../../contract/billing.ts";
import { limits } from "../../contract/limits.ts";

export const noOrder = { purchaseOrder: "", serviceStart: "" };
export type OrderForm = UseFormReturnType<typeof noOrder>;

/** The section of tax deduction: its index in the operator's list, or "other" with section and percentage typed in. */
export interface SectionTyped {
  chosen: string;
  section: string;
  percent: string;
}

export const noSection: SectionTyped = { chosen: "0", section: "", percent: "" };

/** The form's values for tax that the buyer deducts from the payment. */
export interface DeductionTyped extends SectionTyped {
  deducts: boolean;
}

export const noDeduction: DeductionTyped = { deducts: false, ...noSection };

/** Fields for the order that every way to pay shares. */
export function OrderFields({
  form,
  billing,
  isOfContract,
}: {
  form: OrderForm;
  billing: Billing;
  /** The contract then sets the first day. */
  isOfContract: boolean;
}) {
  return (
    <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
      <TextInput
        label="Your purchase order number"
        description="Optional: stands on the invoice"
        placeholder={billing.purchaseOrder ?? undefined}
        maxLength={limits.documentNumberLengthMax}
        {...form.getInputProps("purchaseOrder")}
      />
      {!isOfContract && (
        <TextInput
          label="Service starts on"
          description="Optional: otherwise the day of the payment"
          type="date"
          {...form.getInputProps("serviceStart")}
        />
      )}
    </Group>
  );
}
