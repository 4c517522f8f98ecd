import { Group, NativeSelect, NumberInput, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { type EntityClass, entityClasses, entityClassNames } from "../../../contract/entity-classes.ts";
import { limits } from "../../../contract/limits.ts";
import { confidences, type Confidence } from "../../../contract/obligation-words.ts";
import { factKindNames, factKinds, timeFacts } from "../../../contract/regulator-fact-words.ts";
import { CheckBox } from "../../components/check-box.tsx";
import type { TypedObligation } from "./typed-obligation.ts";

type Form = UseFormReturnType<TypedObligation>;

const lengthMax = limits.obligationLineLengthMax;

/** A few words for each, as a list to choose from breaks no line; the sentence of the chosen one stands beside it. */
const sources: Record<Confidence, string> = {
  P: "Public compilation",
  S: "Secondary page",
  L: "Sources disagree",
  U: "An administrator",
};

export const WhatItIs = ({ form }: { form: Form }) => (
  <>
    <CheckBox
      label="Customers see it"
      data-autofocus
      checked={form.values.on}
      onChange={(on) => form.setFieldValue("on", on)}
    />
    <TextInput label="Title" required maxLength={lengthMax} {...form.getInputProps("title")} />
    <TextInput label="Instrument" required maxLength={lengthMax} {...form.getInputProps("instrument")} />
    <TextInput label="Paragraph" required maxLength={lengthMax} {...form.getInputProps("paragraph")} />
    <TextInput label="Recipient" required maxLength={lengthMax} {...form.getInputProps("recipient")} />
  </>
);

export const Who = ({ form }: { form: Form }) => (
  <>
    <Choices
      legend="Whom it binds: any of these"
      choices={entityClassNames.map((each) => ({ value: each, label: entityClasses[each].name }))}
      chosen={form.values.classes}
      error={form.errors["classes"]}
      onChange={(classes) => form.setFieldValue("classes", classes as EntityClass[])}
    />
    <Choices
      legend="Except these, where another regulator takes its place"
      choices={(["ifsc", "ifsc market infrastructure"] as const).map((each) => ({
        value: each,
        label: entityClasses[each].name,
      }))}
      chosen={form.values.exceptClasses}
      onChange={(classes) => form.setFieldValue("exceptClasses", classes as EntityClass[])}
    />
    <NativeSelect
      label="For which kinds of CERT-In's Annexure I"
      data={[
        { value: "any", label: "Whatever kind it is" },
        { value: "listed", label: "Any of the twenty" },
        { value: "none", label: "None of the twenty" },
        { value: "some", label: "Some of them" },
      ]}
      {...form.getInputProps("types")}
    />
    {form.values.types === "some" && (
      <TextInput label="Their numbers" placeholder="5, 11, 12" {...form.getInputProps("typeNumbers")} />
    )}
    <Group grow>
      <YesNo form={form} name="personalData" label="Personal data affected" />
      <YesNo form={form} name="material" label="Material" />
    </Group>
    <Choices
      legend="Only of these severities (Table 35); none chosen means all"
      choices={Object.entries(factKinds.severity.of).map(([value, label]) => ({ value, label }))}
      chosen={form.values.severity}
      onChange={(severity) => form.setFieldValue("severity", severity)}
    />
    <Choices
      legend="Only of events that come from; none chosen means either"
      choices={Object.entries(factKinds.origin.of).map(([value, label]) => ({ value, label }))}
      chosen={form.values.origin}
      onChange={(origin) => form.setFieldValue("origin", origin)}
    />
  </>
);

const YesNo = ({ form, name, label }: { form: Form; name: "personalData" | "material"; label: string }) => (
  <NativeSelect
    label={label}
    data={[
      { value: "", label: "Whether or not" },
      { value: "yes", label: "Only if yes" },
      { value: "no", label: "Only if no" },
    ]}
    {...form.getInputProps(name)}
  />
);

export const When = ({ form }: { form: Form }) => (
  <>
    <NativeSelect
      label="Time"
      data={[
        { value: "relative", label: "So many hours after something" },
        { value: "immediate", label: "Without delay: no number" },
        { value: "calendar", label: "By the calendar" },
      ]}
      {...form.getInputProps("kind")}
    />
    {form.values.kind === "relative" && (
      <NumberInput label="Hours" min={1} decimalScale={2} {...form.getInputProps("hours")} />
    )}
    {form.values.kind === "calendar" ? (
      <Group grow align="flex-start">
        <TextInput label="After the end of the months" {...form.getInputProps("months")} />
        <TextInput
          label="Days after it"
          description="Empty where the source does not say"
          inputMode="numeric"
          {...form.getInputProps("days")}
        />
      </Group>
    ) : (
      <Choices
        legend="The earliest of these that is known starts it"
        choices={timeFacts.map((each) => ({ value: each, label: factKinds[each].label }))}
        chosen={form.values.anchors}
        error={form.errors["anchors"]}
        onChange={(anchors) => form.setFieldValue("anchors", anchors as TypedObligation["anchors"])}
      />
    )}
    <Group grow align="flex-start">
      <TextInput type="date" label="In force from" {...form.getInputProps("validFrom")} />
      <TextInput type="date" label="In force to" {...form.getInputProps("validTo")} />
    </Group>
  </>
);

export const What = ({ form }: { form: Form }) => (
  <>
    <Textarea
      label="Fields of the form, in its order"
      description={`A line each: what the form calls it, and behind | the fact that fills it: ${factKindNames
        .map((each) => factKinds[each].label)
        .join("; ")}`}
      autosize
      minRows={4}
      {...form.getInputProps("form")}
    />
    <CheckBox
      label="The order is the form's own, which somebody has seen"
      checked={form.values.formSeen}
      onChange={(formSeen) => form.setFieldValue("formSeen", formSeen)}
    />
    <CheckBox
      label="Filing it is the report to SEBI, from which other clocks count"
      checked={form.values.isReportToSebi}
      onChange={(isReportToSebi) => form.setFieldValue("isReportToSebi", isReportToSebi)}
    />
    <NativeSelect
      label="How sure it is"
      description={confidences[form.values.confidence]}
      data={Object.entries(sources).map(([value, label]) => ({ value, label: `${value}: ${label}` }))}
      {...form.getInputProps("confidence")}
    />
    <TextInput label="Source, with its date" required maxLength={lengthMax} {...form.getInputProps("source")} />
    <Textarea label="Note" autosize minRows={2} maxLength={limits.messageLengthMax} {...form.getInputProps("note")} />
  </>
);

function Choices({
  legend,
  choices,
  chosen,
  error,
  onChange,
}: {
  legend: string;
  choices: readonly { value: string; label: string }[];
  chosen: readonly string[];
  error?: ReactNode;
  onChange: (chosen: string[]) => void;
}) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, display: "grid", gap: 6 }}>
      <Text component="legend" fw={600} p={0} mb={4}>
        {legend}
      </Text>
      {choices.map(({ value, label }) => (
        <CheckBox
          key={value}
          label={label}
          checked={chosen.includes(value)}
          onChange={(checked) => onChange(checked ? [...chosen, value] : chosen.filter((each) => each !== value))}
        />
      ))}
      {error && (
        <Text c="var(--mantine-color-error)" fz="sm" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
