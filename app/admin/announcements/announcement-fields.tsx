import { Alert, Group, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type AnnouncementAudience, announcementAudiences } from "../../../contract/announcements.ts";
import { limits } from "../../../contract/limits.ts";
import { roles } from "../../../contract/roles.ts";
import { CheckBox } from "../../components/check-box.tsx";
import type { TypedAnnouncement } from "./typed-announcement.ts";

type Form = UseFormReturnType<TypedAnnouncement>;

const audiences = Object.entries(announcementAudiences).map(([value, label]) => ({ value, label }));

/** The text, the audience and the times; once it is shown, only the text and the end can change. */
export function AnnouncementFields({ form, isShown }: { form: Form; isShown: boolean }) {
  return (
    <>
      <TextInput
        label="Title"
        required
        data-autofocus
        maxLength={limits.announcementTitleLengthMax}
        {...form.getInputProps("title")}
      />
      <Textarea
        label="Text"
        required
        autosize
        minRows={3}
        maxLength={limits.announcementTextLengthMax}
        {...form.getInputProps("text")}
      />
      {isShown && (
        <Alert role="note" variant="light">
          It is already shown: its audience, its start and its mail can’t be changed.
        </Alert>
      )}
      {!isShown && <Audience form={form} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {!isShown && (
          <TextInput
            label="Shown from"
            description="India time; a time in the past means now"
            type="datetime-local"
            required
            {...form.getInputProps("shown_from")}
          />
        )}
        <TextInput
          label="Shown until"
          description={`India time, within ${limits.announcementDaysMax} days`}
          type="datetime-local"
          required
          {...form.getInputProps("shown_until")}
        />
      </SimpleGrid>
      {!isShown && (
        <CheckBox
          label="Send it by mail too, to those who want announcements by mail"
          checked={form.values.mailed}
          onChange={(mailed) => form.setFieldValue("mailed", mailed)}
        />
      )}
    </>
  );
}

function Audience({ form }: { form: Form }) {
  const { audience } = form.values;
  return (
    <>
      <NativeSelect
        label="For"
        data={audiences}
        {...form.getInputProps("audience")}
        onChange={(event) => form.setFieldValue("audience", event.currentTarget.value as AnnouncementAudience)}
      />
      {audience === "roles" && <Roles form={form} />}
      {(audience === "partner" || audience === "customers") && (
        <Textarea
          label={audience === "partner" ? "E-mail of the partner" : "E-mails of the customers, one a line"}
          required
          autosize
          minRows={audience === "partner" ? 1 : 3}
          {...form.getInputProps("emails")}
        />
      )}
    </>
  );
}

function Roles({ form }: { form: Form }) {
  const chosen = form.values.roles;
  return (
    <Stack
      component="fieldset"
      gap="xs"
      m={0}
      p="sm"
      style={{ border: "1px solid var(--site-border)", borderRadius: 10 }}
    >
      <Text component="legend" fz="sm" fw={500} px={4}>
        Roles
      </Text>
      <Group gap="md">
        {roles.map((role) => (
          <CheckBox
            key={role}
            label={role}
            checked={chosen.includes(role)}
            onChange={(isChosen) =>
              form.setFieldValue("roles", isChosen ? [...chosen, role] : chosen.filter((each) => each !== role))
            }
          />
        ))}
      </Group>
      {form.errors["roles"] && (
        <Text fz="sm" c="red" role="alert">
          {form.errors["roles"]}
        </Text>
      )}
    </Stack>
  );
}
