import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { Refusal } from "../components/refusal.tsx";
import { ReadyButton } from "../components/ready-button.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Ladder } from "../../contract/ladders.ts";
import { limits } from "../../contract/limits.ts";
import { ApiError, call } from "../api.ts";
import { Overtaken } from "../components/overtaken.tsx";
import { useKeepUnsaved } from "../components/use-keep-unsaved.ts";
import { showServerErrors, submitting } from "../forms/form-errors.ts";
import { keepTyped } from "../forms/kept-typed.ts";
import { saidBesides } from "../forms/said-besides.ts";
import { isSame } from "../forms/with-typed.ts";
import { useTypedOn } from "../forms/use-typed-on.ts";
import { toast } from "../toast.ts";

export interface LadderFormProps {
  ladder: Ladder;
  onSaved: () => void;
  /** The saved ladder, shown to a user whose input was overtaken. */
  children: ReactNode;
}

const keptAs = "contacts";
const blank = { name: "", says: "", phone: "", email: "" };

/** Edits the people whom we call in turn. */
export default function LadderForm({ ladder, onSaved, children }: LadderFormProps) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ["user/ladder"] });
  const saved = { contacts: ladder.contacts.length > 0 ? ladder.contacts : [blank] };
  const form = useForm({ initialValues: saved });
  const saving = useMutation({
    mutationFn: (sent: Ladder) => call("user/ladder/save", sent),
    onSuccess: async ({ message }, { contacts, version: before }) => {
      toast.success(message);
      noteSent({ contacts }, before + 1);
      const isAll = isSame(form.getValues().contacts, contacts);
      await refresh();
      if (!isAll) return;
      keepTyped(keptAs, null);
      onSaved();
    },
    onError: (error) => {
      if (error instanceof ApiError) showServerErrors(form, error);
      // It may have failed because somebody else saved first.
      void refresh();
    },
  });
  const [version, overtaken, noteSent] = useTypedOn(keptAs, form, saved, ladder.version, saving.reset);
  const problem = saidBesides(saving.error, (field) => form.getInputNode(field) !== null);
  useKeepUnsaved(
    () => form.isDirty(),
    "into the contacts",
    () => keepTyped(keptAs, null),
  );
  return (
    <form
      noValidate
      onSubmit={submitting(form, () => {
        if (!saving.isPending) saving.mutate({ ...form.values, version });
      })}
    >
      <Stack gap="lg">
        {form.values.contacts.map((contact, place) => (
          // Rows have no key of their own until they are saved.
          // oxlint-disable-next-line react/no-array-index-key
          <ContactFields key={place} form={form} name={contact.name} place={place} />
        ))}
        {form.values.contacts.length === 0 && (
          <Text>Nobody: we call the people of your organization who have an account.</Text>
        )}
        {overtaken && (
          <Overtaken {...overtaken} details={children}>
            Somebody else has changed the contacts meanwhile. What you typed is still here; saved now is:
          </Overtaken>
        )}
        {problem && !overtaken && <Refusal>{problem.message}</Refusal>}
        <Group justify="space-between">
          <Button
            variant="default"
            size="md"
            leftSection={<IconPlus size={18} aria-hidden />}
            disabled={form.values.contacts.length >= limits.ladderContactsMax}
            onClick={() => form.insertListItem("contacts", blank)}
          >
            Add somebody
          </Button>
          <ReadyButton type="submit" size="md" loading={saving.isPending} isReady={!overtaken}>
            Save contacts
          </ReadyButton>
        </Group>
      </Stack>
    </form>
  );
}

function ContactFields({
  form,
  name,
  place,
}: {
  form: UseFormReturnType<Pick<Ladder, "contacts">>;
  name: string;
  place: number;
}) {
  return (
    <Stack gap="xs" role="group" aria-label={`Contact ${place + 1}`}>
      <Group justify="space-between">
        <Text fw={650}>
          {place + 1}. <bdi>{name}</bdi>
        </Text>
        <Group gap={4}>
          {place > 0 && (
            <ActionIcon
              variant="subtle"
              size={44}
              aria-label={`Call contact ${place + 1} earlier`}
              onClick={() => form.reorderListItem("contacts", { from: place, to: place - 1 })}
            >
              <IconArrowUp size={20} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            size={44}
            aria-label={`Take contact ${place + 1} out`}
            data-next="[data-next]"
            onClick={() => form.removeListItem("contacts", place)}
          >
            <IconTrash size={20} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <TextInput
        label="Name"
        required
        maxLength={limits.fullNameLengthMax}
        {...form.getInputProps(`contacts.${place}.name`)}
      />
      <TextInput
        label="What they are"
        description="Such as “Head of IT, at night”"
        maxLength={120}
        {...form.getInputProps(`contacts.${place}.says`)}
      />
      <TextInput label="Telephone" type="tel" required {...form.getInputProps(`contacts.${place}.phone`)} />
      <TextInput label="E-mail" type="email" required {...form.getInputProps(`contacts.${place}.email`)} />
    </Stack>
  );
}
