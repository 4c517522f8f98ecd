import { contentLimits } from "../../../contract/content-limits.ts";
import { Checkbox, Group, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ServiceLevel, ServiceLevels } from "../../../contract/service-levels.ts";
import { FieldGroup } from "./field-group.tsx";
import type { SectionEditor } from "./section-form.tsx";

/** A number that is not typed yet is an empty string. */
interface TypedLevel extends Pick<ServiceLevel, "severity" | "name" | "means"> {
  acknowledgeMinutes: number | string;
  containMinutes: number | string;
  resolveMinutes: number | string;
}
type Typed = { isSample: boolean; levels: TypedLevel[] };

export const levelsEditor: SectionEditor<ServiceLevels, Typed> = {
  typedOf: ({ isSample, levels }) => ({
    isSample,
    levels: levels.map((level) => ({ ...level, containMinutes: level.containMinutes ?? "" })),
  }),
  contentOf: ({ isSample, levels }) => ({
    isSample,
    levels: levels.map((level) => ({
      ...level,
      containMinutes: level.containMinutes === "" ? null : level.containMinutes,
    })),
  }),
  Fields,
};

function Fields({ form }: { form: UseFormReturnType<Typed> }) {
  return (
    <>
      <Checkbox
        label="These figures are a sample"
        data-autofocus
        description="The page says that they bind nobody"
        {...form.getInputProps("isSample", { type: "checkbox" })}
      />
      {form.values.levels.map(({ severity }, index) => (
        <FieldGroup key={severity} legend={severity}>
          <Stack gap="sm">
            <TextInput
              label="Name"
              required
              maxLength={contentLimits.brandNameLengthMax}
              {...form.getInputProps(`levels.${index}.name`)}
            />
            <Textarea
              label="What it is"
              required
              autosize
              maxLength={contentLimits.faqAnswerLengthMax}
              {...form.getInputProps(`levels.${index}.means`)}
            />
            <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
              <Minutes form={form} field={`levels.${index}.acknowledgeMinutes`} label="Acknowledged, minutes" />
              <Minutes form={form} field={`levels.${index}.containMinutes`} label="Contained, minutes" optional />
              <Minutes form={form} field={`levels.${index}.resolveMinutes`} label="Resolved, minutes" />
            </Group>
          </Stack>
        </FieldGroup>
      ))}
    </>
  );
}

function Minutes({
  form,
  field,
  label,
  optional = false,
}: {
  form: UseFormReturnType<Typed>;
  field: string;
  label: string;
  optional?: boolean;
}) {
  return (
    <NumberInput
      label={label}
      description={optional ? "Empty: not applicable" : "Of the clock, at any hour"}
      required={!optional}
      min={1}
      allowDecimal={false}
      hideControls
      {...form.getInputProps(field)}
    />
  );
}
