import { Button, Group, Stack, TextInput } from "@mantine/core";
import { Dialog } from "../../components/dialog.tsx";
import { type Organization, OrganizationChange } from "../../../contract/staff-people.ts";
import { Refusal } from "../../components/refusal.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { heldWhileSent } from "../../forms/held-while-sent.ts";
import { keepTyped } from "../../forms/kept-typed.ts";
import { Overtaken } from "../../components/overtaken.tsx";
import { useVersionedForm } from "./use-versioned-form.ts";

const check = fieldErrors(OrganizationChange);
/** Changes the name of an organisation. */
export default function OrganizationDialog({
  organization,
  onClose,
}: {
  organization: Organization | null;
  onClose: () => void;
}) {
  return (
    <Dialog opened={organization !== null} onClose={onClose} title="Edit the organization" size="lg">
      {organization && <OrganizationForm organization={organization} onClose={onClose} />}
    </Dialog>
  );
}

function OrganizationForm({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { id } = organization;
  const keptAs = `organization ${id}`;
  const { form, saving, submit, overtaken, problem } = useVersionedForm({
    keptAs,
    saved: { version: organization.version, values: { name: organization.name } },
    validate: (typed) => check({ id, version: 1, ...typed }),
    save: (typed, version) => call("admin/people/change-organization", { id, version, ...typed }),
    onSaved: onClose,
  });
  const cancel = () => {
    keepTyped(keptAs, null);
    onClose();
  };
  return (
    <form noValidate {...heldWhileSent(saving.isPending)} onSubmit={submit}>
      <Stack gap="md">
        {overtaken && <Overtaken {...overtaken} />}
        {problem && <Refusal>{problem}</Refusal>}
        <TextInput label="Name" required data-autofocus autoComplete="off" {...form.getInputProps("name")} />
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={cancel} disabled={saving.isPending}>
            Cancel
          </Button>
          <ReadyButton type="submit" size="md" loading={saving.isPending} isReady={overtaken === null}>
            Save
          </ReadyButton>
        </Group>
      </Stack>
    </form>
  );
}
