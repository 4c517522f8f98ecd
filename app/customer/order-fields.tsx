import { Group, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Billing } from "../../contract/billing.ts";
import { limits } from "../../contract/limits.ts";

export const noOrder = { purchaseOrder: "", serviceStart: "" };
export type OrderForm = UseFormReturnType<typeof noOrder>;

/** Which of the operator's sections tax is deducted under, by its place in their list, or another one. */
export interface SectionTyped {
  chosen: string;
  section: string;
  percent: string;
}

export const noSection: SectionTyped = { chosen: "0", section: "", percent: "" };

/** What a buyer says of tax that is deducted from the payment. */
export interface DeductionTyped extends SectionTyped {
  deducts: boolean;
}

export const noDeduction: DeductionTyped = { deducts: false, ...noSection };

/** What a buyer may say of the order, whichever way it is paid. */
export function OrderFields({
  form,
  billing,
  isOfContract,
}: {
  form: OrderForm;
  billing: Billing;
  /** Its first day is the contract's to say. */
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
