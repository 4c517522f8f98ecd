import { Checkbox, SimpleGrid, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { contentLimits } from "../../../contract/content-limits.ts";
import { FieldGroup } from "./field-group.tsx";
import type { Typed } from "./seller-fields.tsx";

/** What retention certificates state that no engine reports. */
export function RetentionFields({ form }: { form: UseFormReturnType<Typed> }) {
  const field = (name: keyof Typed["retention"]) => ({
    required: true,
    maxLength: contentLimits.siteLineLengthMax,
    ...form.getInputProps(`retention.${name}`),
  });
  return (
    <FieldGroup legend="Retention certificates">
      <Checkbox
        label="We state where logs are kept, and who answers for it"
        description="Without it each certificate says that nothing was stated"
        {...form.getInputProps("hasRetention", { type: "checkbox" })}
      />
      {form.values.hasRetention && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="sm">
          <TextInput label="Place of storage" description="Data centre, city and country" {...field("place")} />
          <TextInput label="Clock source" description="What the engines’ clocks are set by" {...field("clock")} />
          <TextInput label="Signatory" {...field("signatory")} />
          <TextInput label="Designation" {...field("designation")} />
        </SimpleGrid>
      )}
    </FieldGroup>
  );
}
