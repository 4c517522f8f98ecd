import { contentLimits } from "../../../contract/content-limits.ts";
import { Alert, Button, Group, List, NumberInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { type LegalTexts, noticeDay, shippedNotices } from "../../../contract/privacy-notice.ts";
import { FieldGroup } from "./field-group.tsx";
import type { SectionEditor } from "./section-form.tsx";

type Typed = {
  notices: { version: string; changes: string }[];
  termsVersion: string;
  promises: Record<keyof LegalTexts["promises"], number | string>;
};

export const legalEditor: SectionEditor<LegalTexts, Typed> = {
  typedOf: ({ notices, termsVersion, promises }) => ({ notices: [...notices], termsVersion, promises }),
  contentOf: (typed) => typed,
  Fields,
};

function Fields({ form }: { form: UseFormReturnType<Typed> }) {
  return (
    <>
      <FieldGroup legend="What your company promises in the privacy notice, in days">
        <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
          <Days form={form} field="promises.serverLogDays" label="Server log is kept" data-autofocus />
          <Days form={form} field="promises.backupDays" label="Backups are kept" />
          <Days form={form} field="promises.privacyAnswerDays" label="Answer to a request" />
        </Group>
      </FieldGroup>
      <Notices form={form} />
      <TextInput
        label="Terms of Service are of"
        description="The day on which your counsel took them for yours"
        type="date"
        maw={260}
        {...form.getInputProps("termsVersion")}
      />
    </>
  );
}

function Days({
  form,
  field,
  ...attributes
}: {
  form: UseFormReturnType<Typed>;
  field: string;
  label: string;
  "data-autofocus"?: boolean;
}) {
  return (
    <NumberInput {...attributes} required min={1} allowDecimal={false} hideControls {...form.getInputProps(field)} />
  );
}

/** Versions that were shown to people can't be changed; a new one says what changed in this company's texts. */
function Notices({ form }: { form: UseFormReturnType<Typed> }) {
  const [kept] = useState(form.values.notices.length);
  const own = form.values.notices;
  return (
    <FieldGroup legend="Versions of the privacy notice">
      <Stack gap="sm">
        <Text fz="sm" c="var(--site-muted)">
          Add one whenever the notice says something else: also after a change of name, address, contact or the days
          above. Forms record which version people saw.
        </Text>
        <List size="sm">
          {[...Object.entries(shippedNotices), ...own.slice(0, kept).map((each) => [each.version, each.changes])].map(
            ([version = "", changes]) => (
              <List.Item key={version}>
                {noticeDay(version)}: {changes}
              </List.Item>
            ),
          )}
        </List>
        {own.slice(kept).map((_notice, index) => (
          <Stack key={kept + index} gap="xs">
            <TextInput
              label="First shown on"
              type="date"
              required
              maw={260}
              {...form.getInputProps(`notices.${kept + index}.version`)}
            />
            <Textarea
              label="What changed"
              required
              autosize
              maxLength={contentLimits.faqAnswerLengthMax}
              {...form.getInputProps(`notices.${kept + index}.changes`)}
            />
          </Stack>
        ))}
        {typeof form.errors["notices"] === "string" && <Alert color="red">{form.errors["notices"]}</Alert>}
        {own.length === kept ? (
          <Button
            variant="default"
            size="md"
            onClick={() => form.insertListItem("notices", { version: "", changes: "" })}
          >
            Add a version
          </Button>
        ) : (
          <Button variant="default" size="md" onClick={() => form.removeListItem("notices", own.length - 1)}>
            Leave the new version out
          </Button>
        )}
      </Stack>
    </FieldGroup>
  );
}
