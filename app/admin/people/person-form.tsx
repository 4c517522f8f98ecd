import { Group, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { type Member, PersonChange } from "../../../contract/staff-people.ts";
import { Refusal } from "../../components/refusal.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { PhoneInput } from "../../forms/phone-input.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { useVersionedForm } from "./use-versioned-form.ts";

const check = fieldErrors(PersonChange);

/** Name and phone of a person. */
export function PersonForm({ member }: { member: Member }) {
  const { id } = member;
  const { form, saving, submit, overtaken, problem } = useVersionedForm({
    keptAs: `person ${id}`,
    saved: {
      version: member.version,
      values: { firstName: member.first_name, lastName: member.last_name, phoneNo: member.phone_no },
    },
    validate: (values) => check({ id, version: 1, ...values }),
    save: (values, version) => call("admin/people/change", { id, version, ...values }),
  });
  return (
    <form noValidate aria-label="Name and phone" onSubmit={submit}>
      <Stack gap="md">
        {overtaken && <Overtaken {...overtaken} />}
        {problem && <Refusal>{problem}</Refusal>}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="First name" autoComplete="off" required {...form.getInputProps("firstName")} />
          <TextInput label="Last name" autoComplete="off" required {...form.getInputProps("lastName")} />
        </SimpleGrid>
        <PhoneInput label="Phone" required {...form.getInputProps("phoneNo")} />
        <Group justify="flex-end">
          <ReadyButton type="submit" size="md" loading={saving.isPending} isReady={overtaken === null}>
            Save
          </ReadyButton>
        </Group>
      </Stack>
    </form>
  );
}
