import { Checkbox, Group, NativeSelect, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { BuyerKind } from "../../contract/billing.ts";
import { countries, india } from "../../contract/countries.ts";
import { isValidGstin, states } from "../../contract/gstin.ts";
import { limits } from "../../contract/limits.ts";
import type { TypedBilling } from "./typed-billing.ts";

type Form = UseFormReturnType<TypedBilling>;

const kinds: readonly [kind: BuyerKind, label: string, description: string][] = [
  ["registered", "Registered for GST", "A company in India with a GSTIN"],
  ["unregistered", "Not registered", "In India, without a GSTIN"],
  ["sez", "In a special economic zone", "A unit or developer with a GSTIN of its own"],
  ["abroad", "Outside India", "A company in another country"],
];

const stateChoices = [
  { value: "", label: "Please choose" },
  ...Object.entries(states)
    .map(([value, name]) => ({ value, label: `${name} (${value})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label)),
];
const countryChoices = [
  { value: "", label: "Please choose" },
  ...countries.filter(({ code }) => code !== india).map(({ code, name }) => ({ value: code, label: name })),
];

/** The recipient's details for invoices; fields that do not apply to its kind are hidden. */
export function BillingFields({ form }: { form: Form }) {
  const { kind } = form.values;
  const isAbroad = kind === "abroad";
  return (
    <>
      <Radio.Group label="The company is" required {...form.getInputProps("kind")}>
        <Stack gap="xs" mt="xs">
          {kinds.map(([value, label, description]) => (
            <Radio
              key={value}
              size="md"
              value={value}
              label={label}
              description={description}
              {...(value === (kind || kinds[0]?.[0]) && { "data-autofocus": true })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        label="Legal name"
        description="As it is to stand on the invoice"
        required
        autoComplete="organization"
        maxLength={limits.organizationLengthMax}
        {...form.getInputProps("legalName")}
      />
      {(kind === "registered" || kind === "sez") && <GstinInput form={form} />}
      <Textarea
        label="Billing address"
        required
        autosize
        minRows={2}
        maxRows={5}
        autoComplete="street-address"
        maxLength={limits.billingAddressLengthMax}
        {...form.getInputProps("address")}
      />
      <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
        <TextInput
          label={isAbroad ? "Postal code" : "PIN code"}
          required={!isAbroad}
          autoComplete="postal-code"
          maxLength={limits.pinCodeLengthMax}
          {...(!isAbroad && { inputMode: "numeric" as const })}
          {...form.getInputProps("pinCode")}
        />
        {isAbroad ? (
          <NativeSelect label="Country" required data={countryChoices} {...form.getInputProps("country")} />
        ) : (
          <NativeSelect label="State" required data={stateChoices} {...form.getInputProps("stateCode")} />
        )}
      </Group>
      {kind === "sez" && <UndertakingFields form={form} />}
      {kind === "unregistered" && (
        <TextInput label="PAN" description="Optional" maxLength={10} {...form.getInputProps("pan")} />
      )}
      <TextInput
        label="Purchase order number"
        description="Optional: stands on your next orders; you can give each its own when you pay"
        maxLength={limits.documentNumberLengthMax}
        {...form.getInputProps("purchaseOrder")}
      />
    </>
  );
}

/** A complete GSTIN sets its state, unless one is chosen already. */
function GstinInput({ form }: { form: Form }) {
  const { onChange, ...input } = form.getInputProps("gstin");
  return (
    <TextInput
      label="GSTIN"
      description="Its state and check digit are looked at as you type"
      required
      autoComplete="off"
      maxLength={20}
      {...input}
      onChange={(event) => {
        onChange(event);
        const typed = event.currentTarget.value.trim().toUpperCase();
        if (typed.length < 15) return;
        if (isValidGstin(typed) && form.values.stateCode === "") form.setFieldValue("stateCode", typed.slice(0, 2));
        // By then the form has the new value.
        queueMicrotask(() => form.validateField("gstin"));
      }}
    />
  );
}

function UndertakingFields({ form }: { form: Form }) {
  return (
    <>
      <Checkbox
        label="We buy under a letter of undertaking"
        description="Without one, or when it has ended, IGST is charged"
        {...form.getInputProps("hasUndertaking", { type: "checkbox" })}
      />
      {form.values.hasUndertaking && (
        <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            label="Number of the letter"
            required
            maxLength={limits.documentNumberLengthMax}
            {...form.getInputProps("undertaking.number")}
          />
          <TextInput label="Date of the letter" type="date" required {...form.getInputProps("undertaking.date")} />
          <TextInput label="Valid to" type="date" required {...form.getInputProps("undertaking.validTo")} />
        </Group>
      )}
    </>
  );
}
