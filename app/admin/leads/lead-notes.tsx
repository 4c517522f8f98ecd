import { Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { auditActions } from "../../../contract/audit.ts";
import type { LeadEvent, LeadMail } from "../../../contract/lead-details.ts";
import type { Lead } from "../../../contract/lead-list.ts";
import { limits } from "../../../contract/limits.ts";
import { call } from "../../api.ts";
import { factsAsText } from "../../audit/audit-facts.tsx";
import { showTime } from "../../components/display.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { toast } from "../../toast.ts";
import classes from "./leads.module.css";
import { leadKey, useMayChange } from "./use-leads.ts";

/** `keptAs` is the name under which unsaved input is kept. */
export type OnDirty = (keptAs: string, isDirty: boolean) => void;

/** A lead's notes and history, with a form to add a note. */
export function LeadHistory({ lead, events, onDirty }: { lead: Lead; events: readonly LeadEvent[]; onDirty: OnDirty }) {
  return (
    <PanelSection title="Notes and history">
      <Stack gap="lg">
        {useMayChange()(lead) && <NoteForm key={lead.id} leadId={lead.id} onDirty={onDirty} />}
        {events.length === 0 ? (
          <Text c="var(--site-muted)">No notes or actions yet.</Text>
        ) : (
          <ol className={classes.events}>
            {events.map((event) => (
              <li key={event.id}>
                <Text fz="sm" c="var(--site-muted)">
                  {showTime(event.at)}
                </Text>
                <Event event={event} />
              </li>
            ))}
          </ol>
        )}
      </Stack>
    </PanelSection>
  );
}

const phrases: Readonly<Record<string, string>> = auditActions;

const nameless: Record<LeadEvent["by"], string> = {
  person: "Somebody who is not here any more",
  visitor: "A visitor",
  software: "The software",
};

function Event({ event: { who, by, note, action, about, facts } }: { event: LeadEvent }) {
  const person = <bdi>{who ?? nameless[by]}</bdi>;
  if (note !== null)
    return (
      <>
        <Text fw={650}>{person}</Text>
        <p className={classes.note} dir="auto">
          {note}
        </p>
      </>
    );
  return (
    <>
      <Text>
        <strong>{person}</strong> {(phrases[action] ?? action).replace("{}", about ?? "it")}
      </Text>
      {facts.length > 0 && (
        <Text fz="sm" c="var(--site-muted)" style={{ overflowWrap: "anywhere" }}>
          {factsAsText(facts)}
        </Text>
      )}
    </>
  );
}

function NoteForm({ leadId, onDirty }: { leadId: string; onDirty: OnDirty }) {
  const keptAs = `note ${leadId}`;
  const { form, idOf, leave } = useKeptForm(keptAs, { text: "" }, () => {});
  const { text } = form.values;
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: (note: string) =>
      call("admin/leads/add-note", { id: leadId, note_id: idOf({ text: note }), text: note }),
    onSuccess: async ({ message }, note) => {
      leave();
      // Text typed during the request stays, to be sent next.
      form.setValues((now) => (now.text === note ? { text: "" } : now));
      toast.success(message);
      await queries.invalidateQueries({ queryKey: leadKey(leadId) });
    },
  });
  const isDirty = text.trim() !== "";
  useEffect(() => {
    onDirty(keptAs, isDirty);
    return () => onDirty(keptAs, false);
  }, [keptAs, isDirty, onDirty]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && !add.isPending) add.mutate(text);
      }}
    >
      <Stack gap="sm" align="start">
        <Textarea
          w="100%"
          label="Note"
          autosize
          minRows={2}
          maxLength={limits.messageLengthMax}
          {...form.getInputProps("text")}
          error={add.error?.message}
        />
        <ReadyButton type="submit" variant="default" loading={add.isPending} isReady={isDirty}>
          Add note
        </ReadyButton>
      </Stack>
    </form>
  );
}

const mailNames: Record<LeadMail["kind"], string> = {
  proposal: "Proposal",
  acceptance: "Accepted proposal, with the evidence",
  proforma: "Proforma, with how to transfer",
  invoice: "Invoice, to be paid",
  receipt: "Receipt and invoice",
  "contact request": "Contact request, to our sales",
  reminder: "Reminder of the next step",
};

/** The e-mails that were sent about a lead. */
export function LeadMails({ mails }: { mails: readonly LeadMail[] }) {
  return (
    <PanelSection title="Mails">
      {mails.length === 0 ? (
        <Text c="var(--site-muted)">No mail was sent about it.</Text>
      ) : (
        <ul className={classes.events}>
          {mails.map(({ id, kind, to, created_at, sent_at, failure }) => (
            <li key={id}>
              <Text fw={600}>{mailNames[kind]}</Text>
              <Text fz="sm" c="var(--site-muted)" style={{ overflowWrap: "anywhere" }}>
                {to}, {sent_at ? `sent ${showTime(sent_at)}` : `waits since ${showTime(created_at)}`}
                {failure && `; last try: ${failure}`}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </PanelSection>
  );
}
