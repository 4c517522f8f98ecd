import { Checkbox, Group, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { contentLimits } from "../../../contract/content-limits.ts";
import { limits } from "../../../contract/limits.ts";
import type { BankAccount, RetentionStatement, SellerTexts } from "../../../contract/seller.ts";
import { percentTyped } from "../../forms/percent-typed.ts";
import { FieldGroup } from "./field-group.tsx";
import { RetentionFields } from "./retention-fields.tsx";
import type { SectionEditor } from "./section-form.tsx";
import { TransferFields } from "./transfer-fields.tsx";

export type Typed = {
  cin: string;
  hasUndertaking: boolean;
  undertaking: { number: string; validFrom: string; validTo: string };
  roundToRupee: boolean;
  hasBank: boolean;
  bank: BankAccount;
  hasCredit: boolean;
  creditDays: string;
  deductions: { section: string; percent: string; validFrom: string }[];
  hasEInvoices: boolean;
  eInvoices: { from: string; place: string; pinCode: string };
  hasRetention: boolean;
  retention: RetentionStatement;
};

export const sellerEditor: SectionEditor<SellerTexts, Typed> = {
  typedOf: ({ cin, undertaking, roundToRupee, bank, creditDays, deductions, eInvoices, retention }) => ({
    cin,
    roundToRupee,
    hasEInvoices: eInvoices !== null,
    eInvoices: eInvoices ?? { from: "", place: "", pinCode: "" },
    hasRetention: retention !== null,
    retention: retention ?? { place: "", clock: "", signatory: "", designation: "" },
    hasUndertaking: undertaking !== null,
    undertaking: undertaking ?? { number: "", validFrom: "", validTo: "" },
    hasBank: bank !== null,
    bank: bank ?? { accountName: "", accountNumber: "", ifsc: "", bankName: "" },
    hasCredit: creditDays !== null,
    creditDays: String(creditDays ?? 30),
    deductions: deductions.map(({ percent, ...row }) => ({ ...row, percent: String(percent) })),
  }),
  contentOf: ({
    hasUndertaking,
    undertaking,
    hasBank,
    bank,
    hasCredit,
    creditDays,
    deductions,
    hasEInvoices,
    eInvoices,
    hasRetention,
    retention,
    ...typed
  }) => ({
    ...typed,
    bank: hasBank ? bank : null,
    creditDays: hasBank && hasCredit ? Number(creditDays) : null,
    deductions: deductions.map(({ percent, ...row }) => ({ ...row, percent: percentTyped(percent) })),
    undertaking: hasUndertaking ? undertaking : null,
    eInvoices: hasEInvoices ? eInvoices : null,
    retention: hasRetention ? retention : null,
  }),
  Fields,
};

function Fields({ form }: { form: UseFormReturnType<Typed> }) {
  return (
    <>
      <TextInput
        label="CIN"
        data-autofocus
        description="Corporate identity number; leave empty if you are not a company"
        maxLength={21}
        {...form.getInputProps("cin")}
      />
      <FieldGroup legend="Letter of undertaking for exports and special economic zones">
        <Checkbox
          label="We hold a letter of undertaking"
          description="Without one, or on a day on which it is not valid, IGST is charged"
          {...form.getInputProps("hasUndertaking", { type: "checkbox" })}
        />
        {form.values.hasUndertaking && (
          <Group gap="sm" align="flex-start" grow preventGrowOverflow={false} mt="sm">
            <TextInput
              label="Number (ARN)"
              required
              maxLength={limits.documentNumberLengthMax}
              {...form.getInputProps("undertaking.number")}
            />
            <TextInput label="Valid from" type="date" required {...form.getInputProps("undertaking.validFrom")} />
            <TextInput label="Valid to" type="date" required {...form.getInputProps("undertaking.validTo")} />
          </Group>
        )}
      </FieldGroup>
      <Checkbox
        label="Round documents to the rupee"
        description="With a round-off line; otherwise sums stay to the paisa. Ask your accountant"
        {...form.getInputProps("roundToRupee", { type: "checkbox" })}
      />
      <TransferFields form={form} />
      <FieldGroup legend="E-invoices">
        <Checkbox
          label="Our turnover is above the threshold of rule 48(4)"
          description="Invoices and credit notes to registered buyers, special economic zones and abroad are then registered with the government’s portal before they go out"
          {...form.getInputProps("hasEInvoices", { type: "checkbox" })}
        />
        {form.values.hasEInvoices && (
          <Group gap="sm" align="flex-start" grow preventGrowOverflow={false} mt="sm">
            <TextInput label="From this day on" type="date" required {...form.getInputProps("eInvoices.from")} />
            <TextInput
              label="Town or city of your address"
              required
              maxLength={contentLimits.brandNameLengthMax}
              {...form.getInputProps("eInvoices.place")}
            />
            <TextInput
              label="Its PIN code"
              required
              inputMode="numeric"
              maxLength={6}
              {...form.getInputProps("eInvoices.pinCode")}
            />
          </Group>
        )}
      </FieldGroup>
      <RetentionFields form={form} />
    </>
  );
}
