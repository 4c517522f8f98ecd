import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Dialog } from "../components/dialog.tsx";
import { toast } from "../toast.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { operations, type Sent } from "../../contract/operations.ts";
import { ApiError, call, isRefusal } from "../api.ts";
import { fieldErrors, showServerErrors, submitting } from "../forms/form-errors.ts";
import { PhoneInput } from "../forms/phone-input.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";
import type { AddPersonName, AddPersonProps } from "./add-person-modal.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";

const empty = { organizationName: "", firstName: "", lastName: "", email: "", phoneNo: "" };

/**
 * Adds a person, who is then invited by e-mail. The operation's own schema decides which fields are required, including
 * an organisation's name. It closes itself on success; after a failure, Escape or the end of the session, the input is
 * kept. It reloads `reloads` in either case.
 */
export default function AddPersonDialog({
  opened,
  onClose,
  operation,
  texts,
  withOrganization = false,
  reloads,
}: AddPersonProps) {
  const queries = useQueryClient();
  const check = fieldErrors(operations[operation].input);
  const { form, leave } = useKeptForm(`person ${operation}`, empty, onClose, check);
  const add = useMutation({
    mutationFn: (values: typeof empty) => call(operation, values as Sent<AddPersonName>),
    onSuccess: (_answer, { email }) => {
      toast.success(texts.added, { description: `We have sent an invitation to ${email}.` });
      form.reset();
      leave();
    },
    onError: (error) => {
      if (error instanceof ApiError) showServerErrors(form, error);
      if (!isExplained(error)) toast.error(texts.notAdded, { description: error.message });
    },
    // Even without an answer, as the person may have been added.
    onSettled: () => {
      for (const name of reloads) void queries.invalidateQueries({ queryKey: [name] });
    },
  });
  const refusal = add.error && isExplained(add.error) ? add.error : null;
  const close = () => {
    if (add.isPending) return;
    onClose();
  };
  const cancel = () => {
    form.reset();
    add.reset();
    leave();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={texts.title}
      size="lg"

      closeButtonProps={{ disabled: add.isPending }}
    >
      <form noValidate {...heldWhileSent(add.isPending)} onSubmit={submitting(form, (values) => add.mutate(values))}>
        <Stack gap="md">
          {refusal && (
            <Alert color="red" role="alert">
              <Text fw={600}>{texts.failed}</Text>
              {Object.keys(refusal.fields).length === 0 && <Text>{refusal.message}</Text>}
            </Alert>
          )}
          <PersonFields form={form} withOrganization={withOrganization} />
          <Text fz="sm" c="var(--site-muted)">
            They get an e-mail with a link, valid {limits.inviteHours} hours, to choose their password, and with our
            privacy notice.
          </Text>
          <Group justify="flex-end" mt="xs">
            <Button variant="default" size="md" onClick={cancel} disabled={add.isPending}>
              Cancel
            </Button>
            <Button type="submit" size="md" disabled={add.isPending}>
              {add.isPending ? messages.adding : texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function PersonFields({
  form,
  withOrganization,
}: {
  form: UseFormReturnType<typeof empty>;
  withOrganization: boolean;
}) {
  return (
    <>
      {withOrganization && (
        <TextInput
          label="Organization name"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps("organizationName")}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="First name"
          autoComplete="off"
          required
          {...(!withOrganization && { "data-autofocus": true })}
          {...form.getInputProps("firstName")}
        />
        <TextInput label="Last name" autoComplete="off" required {...form.getInputProps("lastName")} />
      </SimpleGrid>
      <TextInput label="Email" type="email" autoComplete="off" required {...form.getInputProps("email")} />
      <PhoneInput label="Phone" required {...form.getInputProps("phoneNo")} />
    </>
  );
}

/** Whether the server gave a reason that the user can act on in the form. */
const isExplained = (error: Error): error is ApiError => isRefusal(error) && error.code !== "unexplained";
