import { contentLimits } from "../../../contract/content-limits.ts";
import { Button, Checkbox, Group, Stack, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { BrandTexts } from "../../../contract/brand.ts";
import { limits } from "../../../contract/limits.ts";
import { FieldGroup } from "./field-group.tsx";
import type { SectionEditor } from "./section-form.tsx";

/** Lists of lines are typed as one text, one per line. */
type Typed = Omit<BrandTexts, "phones" | "offices" | "externalPages"> & {
  phones: string;
  offices: { title: string; lines: string }[];
  externalPages: { label: string; href: string }[];
};

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

export const brandEditor: SectionEditor<BrandTexts, Typed> = {
  typedOf: ({ phones, offices, externalPages, ...rest }) => ({
    ...rest,
    phones: phones.join("\n"),
    offices: offices.map(({ title, lines }) => ({ title, lines: lines.join("\n") })),
    externalPages: [...externalPages],
  }),
  contentOf: ({ phones, offices, ...rest }) => ({
    ...rest,
    phones: linesOf(phones),
    offices: offices.map(({ title, lines }) => ({ title, lines: linesOf(lines) })),
  }),
  fieldOf: (place) => place.replace(/^phones\..*/, "phones").replace(/^(offices\.\d+\.lines)\..*/, "$1"),
  Fields,
};

type Form = UseFormReturnType<Typed>;

function Fields({ form }: { form: Form }) {
  const text = (field: string, label: string, maxLength: number, description?: string) => (
    <TextInput label={label} required maxLength={maxLength} description={description} {...form.getInputProps(field)} />
  );
  return (
    <>
      <Checkbox
        label="This is a sample company"
        data-autofocus
        description="Pages, mails and invoices say that it does not exist"
        {...form.getInputProps("isSample", { type: "checkbox" })}
      />
      {text("name", "Name of the product", contentLimits.brandNameLengthMax)}
      {text("legalName", "Legal entity", contentLimits.siteLineLengthMax)}
      {text("gstin", "GSTIN", 15, "Its first two digits say in which state you are: GST on invoices follows from it")}
      {text("address", "Registered address", contentLimits.siteAddressLengthMax, "In one line, as invoices have it")}
      {text("website", "Your own site", limits.proofLinkLengthMax)}
      <FieldGroup legend="E-mail addresses">
        <Stack gap="sm">
          {text("emails.sales", "Sales", limits.emailLengthMax, "Requests from the site are mailed to it")}
          {text("emails.support", "Support", limits.emailLengthMax)}
          {text("emails.privacy", "Privacy", limits.emailLengthMax)}
        </Stack>
      </FieldGroup>
      <Textarea
        label="Phone numbers"
        description="One per line, with the country code; the first is the main one"
        required
        autosize
        minRows={2}
        {...form.getInputProps("phones")}
      />
      <Offices form={form} />
      <Links form={form} />
    </>
  );
}

function Offices({ form }: { form: Form }) {
  const { offices } = form.values;
  return (
    <FieldGroup legend="Offices">
      <Stack gap="md">
        {offices.map((_office, index) => (
          <Stack key={index} gap="xs">
            <TextInput
              label={`Title of office ${index + 1}`}
              required
              maxLength={contentLimits.siteLineLengthMax}
              {...form.getInputProps(`offices.${index}.title`)}
            />
            <Textarea
              label={`Address of office ${index + 1}`}
              description="A line each"
              required
              autosize
              minRows={2}
              {...form.getInputProps(`offices.${index}.lines`)}
            />
            {offices.length > 1 && (
              <Button
                variant="default"
                size="md"
                style={{ alignSelf: "flex-start" }}
                onClick={() => form.removeListItem("offices", index)}
              >
                Remove office {index + 1}
              </Button>
            )}
          </Stack>
        ))}
        {offices.length < contentLimits.officesMax && (
          <Button variant="default" size="md" onClick={() => form.insertListItem("offices", { title: "", lines: "" })}>
            Add an office
          </Button>
        )}
      </Stack>
    </FieldGroup>
  );
}

function Links({ form }: { form: Form }) {
  const { externalPages } = form.values;
  return (
    <FieldGroup legend="Links in the footer">
      <Stack gap="md">
        {externalPages.map((_page, index) => (
          <Group key={index} gap="sm" align="flex-end">
            <TextInput
              label={`Name of link ${index + 1}`}
              required
              maxLength={contentLimits.brandNameLengthMax}
              {...form.getInputProps(`externalPages.${index}.label`)}
            />
            <TextInput
              label={`Address of link ${index + 1}`}
              required
              type="url"
              maxLength={limits.proofLinkLengthMax}
              style={{ flex: "1 1 240px" }}
              {...form.getInputProps(`externalPages.${index}.href`)}
            />
            <Button variant="default" size="md" onClick={() => form.removeListItem("externalPages", index)}>
              Remove link {index + 1}
            </Button>
          </Group>
        ))}
        {externalPages.length < contentLimits.officesMax && (
          <Button
            variant="default"
            size="md"
            onClick={() => form.insertListItem("externalPages", { label: "", href: "" })}
          >
            Add a link
          </Button>
        )}
      </Stack>
    </FieldGroup>
  );
}
