import { Checkbox, Group, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { limits } from "../../../contract/limits.ts";
import type { SellerTexts } from "../../../contract/seller.ts";
import { FieldGroup } from "./field-group.tsx";
import type { SectionEditor } from "./section-form.tsx";

type Typed = {
  cin: string;
  hasUndertaking: boolean;
  undertaking: { number: string; validFrom: string; validTo: string };
  roundToRupee: boolean;
};

export const sellerEditor: SectionEditor<SellerTexts, Typed> = {
  typedOf: ({ cin, undertaking, roundToRupee }) => ({
    cin,
    roundToRupee,
    hasUndertaking: undertaking !== null,
    undertaking: undertaking ?? { number: "", validFrom: "", validTo: "" },
  }),
  contentOf: ({ hasUndertaking, undertaking, ...typed }) => ({
    ...typed,
    undertaking: hasUndertaking ? undertaking : null,
  }),
  Fields,
};

function Fields({ form }: { form: UseFormReturnType<Typed> }) {
  return (
    <>
      <TextInput
        label="CIN"
        description="Corporate identity number of a company; leave it empty if you are none"
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
    </>
  );
}
