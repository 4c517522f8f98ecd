import { ActionIcon, Alert, Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Ladder } from "../../contract/ladders.ts";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { ApiError, call } from "../api.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { toast } from "../toast.ts";
import classes from "./incidents.module.css";

/** Whom we call in turn: the main account edits it, everybody else of the organisation reads it. */
export function LadderEditor({ startsEditing = false }: { startsEditing?: boolean }) {
  const mayEdit = useMayCall()("user/ladder/save");
  const [edits, setEdits] = useState(startsEditing);
  const found = useQuery({ queryKey: ["user/ladder"], queryFn: ({ signal }) => call("user/ladder", {}, signal) });
  return (
    <PanelSection
      level={2}
      title="Whom we call in turn"
      hint={`The first at once, the next after ${limits.ladderStepMinutes} minutes each, until somebody is reached. People without an account may be named, too.`}
    >
      {found.isError && !found.data ? (
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <ListLoading rows={2} />
      ) : edits ? (
        <Editor key={found.data.version} ladder={found.data} onSaved={() => setEdits(false)} />
      ) : (
        <>
          <Shown ladder={found.data} />
          {mayEdit && (
            <Button variant="default" size="md" mt="md" onClick={() => setEdits(true)}>
              Change the contacts
            </Button>
          )}
        </>
      )}
    </PanelSection>
  );
}

function Shown({ ladder: { contacts } }: { ladder: Ladder }) {
  if (contacts.length === 0)
    return <Text>Nobody is named yet: we call the people of your organization who have an account.</Text>;
  return (
    <ol className={classes.timeline}>
      {contacts.map(({ name, says, phone, email }) => (
        <li key={`${name} ${email}`}>
          <strong>{name}</strong> {says && <span className={classes.muted}>{says}</span>}
          <div className="tabular">
            <Anchor href={`tel:${phone}`} fz="inherit">
              {phone}
            </Anchor>
            , {email}
          </div>
        </li>
      ))}
    </ol>
  );
}

const blank = { name: "", says: "", phone: "", email: "" };

function Editor({ ladder, onSaved }: { ladder: Ladder; onSaved: () => void }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: { contacts: ladder.contacts.length > 0 ? ladder.contacts : [blank] } });
  const saving = useMutation({
    mutationFn: () => call("user/ladder/save", { ...form.values, version: ladder.version }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: ["user/ladder"] });
      onSaved();
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate();
      }}
    >
      <Stack gap="lg">
        {form.values.contacts.map((contact, place) => (
          // Rows have no name of their own until they are saved.
          // oxlint-disable-next-line react/no-array-index-key
          <ContactFields key={place} form={form} name={contact.name} place={place} />
        ))}
        {form.values.contacts.length === 0 && (
          <Text>Nobody: we call the people of your organization who have an account.</Text>
        )}
        {saving.error && (
          <Alert color="red" role="alert">
            {saving.error.message}
          </Alert>
        )}
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
          <Button type="submit" size="md" loading={saving.isPending}>
            Save contacts
          </Button>
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
          {place + 1}. {name}
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
            onClick={() => form.removeListItem("contacts", place)}
          >
            <IconTrash size={20} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <TextInput label="Name" maxLength={limits.fullNameLengthMax} {...form.getInputProps(`contacts.${place}.name`)} />
      <TextInput
        label="What they are"
        description="Such as “Head of IT, at night”"
        maxLength={120}
        {...form.getInputProps(`contacts.${place}.says`)}
      />
      <TextInput label="Telephone" type="tel" {...form.getInputProps(`contacts.${place}.phone`)} />
      <TextInput label="E-mail" type="email" {...form.getInputProps(`contacts.${place}.email`)} />
    </Stack>
  );
}
