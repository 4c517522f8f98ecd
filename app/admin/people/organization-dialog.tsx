import { Alert, Button, Group, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { Dialog } from "../../components/dialog.tsx";
import { states } from "../../../contract/gstin.ts";
import { limits } from "../../../contract/limits.ts";
import { type Organization, OrganizationChange } from "../../../contract/staff-people.ts";
import { call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { Overtaken } from "../../components/overtaken.tsx";
import { useVersionedForm } from "./use-versioned-form.ts";

const check = fieldErrors(OrganizationChange);
const stateChoices = [
  { value: "", label: "Not given" },
  ...Object.entries(states)
    .map(([value, name]) => ({ value, label: `${name} (${value})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label)),
];

/** Changes what is known of an organisation. */
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

interface Typed extends Record<string, string> {
  name: string;
  gstin: string;
  billingAddress: string;
  billingState: string;
}

/** What is optional stands as empty text. */
const asSent = ({ name, ...facts }: Typed) => ({
  name,
  gstin: facts.gstin.trim() || null,
  billingAddress: facts.billingAddress.trim() || null,
  billingState: facts.billingState || null,
});

function OrganizationForm({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { id } = organization;
  const { form, saving, submit, overtaken, problem } = useVersionedForm<Typed>({
    saved: {
      version: organization.version,
      values: {
        name: organization.name,
        gstin: organization.gstin ?? "",
        billingAddress: organization.billing_address ?? "",
        billingState: organization.billing_state ?? "",
      },
    },
    validate: (typed) => check({ id, version: 1, ...asSent(typed) }),
    save: (typed, version) => call("admin/people/change-organization", { id, version, ...asSent(typed) }),
    onSaved: onClose,
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {overtaken && <Overtaken {...overtaken} />}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput label="Name" required data-autofocus autoComplete="off" {...form.getInputProps("name")} />
        <TextInput
          label="GSTIN"
          description="Stands on the invoices that are still to be made; those that are issued keep what they say"
          autoComplete="off"
          {...form.getInputProps("gstin")}
        />
        <Textarea
          label="Billing address"
          autosize
          minRows={2}
          maxLength={limits.billingAddressLengthMax}
          {...form.getInputProps("billingAddress")}
        />
        <NativeSelect label="State" size="md" data={stateChoices} {...form.getInputProps("billingState")} />
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose} disabled={saving.isPending}>
            Cancel
          </Button>
          <Button type="submit" size="md" loading={saving.isPending} disabled={overtaken !== null}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
