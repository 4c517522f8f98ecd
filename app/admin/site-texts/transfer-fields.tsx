import { Button, Checkbox, Group, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { limits } from "../../../contract/limits.ts";
import { FieldGroup } from "./field-group.tsx";
import type { Typed } from "./seller-fields.tsx";

/** How customers may pay other than online, and which taxes they may deduct. */
export function TransferFields({ form }: { form: UseFormReturnType<Typed> }) {
  const { hasBank, hasCredit } = form.values;
  return (
    <>
      <FieldGroup legend="Bank transfer">
        <Checkbox
          label="Customers may pay by bank transfer"
          description="A proforma invoice says where to; the tax invoice follows when the money has come"
          {...form.getInputProps("hasBank", { type: "checkbox" })}
        />
        {hasBank && (
          <>
            <Group gap="sm" align="flex-start" grow preventGrowOverflow={false} mt="sm">
              <TextInput label="Account name" required {...form.getInputProps("bank.accountName")} />
              <TextInput
                label="Account number"
                required
                inputMode="numeric"
                {...form.getInputProps("bank.accountNumber")}
              />
              <TextInput label="IFSC" required maxLength={11} {...form.getInputProps("bank.ifsc")} />
              <TextInput label="Bank" required {...form.getInputProps("bank.bankName")} />
            </Group>
            <Checkbox
              mt="md"
              label="Accepted quotes may be bought against invoice"
              description="The tax invoice is made at once, and is due after these days"
              {...form.getInputProps("hasCredit", { type: "checkbox" })}
            />
            {hasCredit && (
              <TextInput
                label="Days until it is due"
                required
                inputMode="numeric"
                maw={220}
                mt="sm"
                {...form.getInputProps("creditDays")}
              />
            )}
          </>
        )}
      </FieldGroup>
      {hasBank && <Deductions form={form} />}
    </>
  );
}

function Deductions({ form }: { form: UseFormReturnType<Typed> }) {
  return (
    <FieldGroup legend="Tax that customers deduct: sections to choose from">
      {form.values.deductions.map((row, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no other key, and keep their order
        <Group key={index} gap="sm" align="flex-end" mb="sm">
          <TextInput
            label="Section"
            required
            maxLength={limits.documentNumberLengthMax}
            {...form.getInputProps(`deductions.${index}.section`)}
          />
          <TextInput
            label="Percent"
            required
            inputMode="decimal"
            w={110}
            {...form.getInputProps(`deductions.${index}.percent`)}
          />
          <TextInput label="From" type="date" required {...form.getInputProps(`deductions.${index}.validFrom`)} />
          <Button
            variant="default"
            aria-label={`Remove section ${row.section || index + 1}`}
            onClick={() => form.removeListItem("deductions", index)}
          >
            Remove
          </Button>
        </Group>
      ))}
      <Button
        variant="default"
        onClick={() => form.insertListItem("deductions", { section: "", percent: "", validFrom: "" })}
      >
        Add a section
      </Button>
    </FieldGroup>
  );
}
