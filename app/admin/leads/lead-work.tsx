import { Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LeadChange } from "../../../contract/lead-inbox.ts";
import type { Lead } from "../../../contract/lead-list.ts";
import { limits } from "../../../contract/limits.ts";
import { ApiError, call } from "../../api.ts";
import { withTyped } from "../../forms/with-typed.ts";
import { Refusal } from "../../components/refusal.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { Facts, PanelSection } from "../../components/panel-section.tsx";
import { showDay } from "../../components/display.ts";
import { fieldErrors, showServerErrors, submitting } from "../../forms/form-errors.ts";
import { keepTyped, keptTyped } from "../../forms/kept-typed.ts";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";
import type { OnDirty } from "./lead-notes.tsx";
import { LeadStateBadge, stateChoices } from "./lead-state.tsx";
import { fetchLeadNow, refreshLeads, useMayChange, useOwners } from "./use-leads.ts";

/** State, owner and next step: a form for users who may change the lead, plain facts for the others. */
export function LeadWork({ lead, onDirty }: { lead: Lead; onDirty: OnDirty }) {
  return (
    <PanelSection title="What happens next">
      {useMayChange()(lead) ? <WorkForm lead={lead} onDirty={onDirty} /> : <WorkFacts lead={lead} />}
    </PanelSection>
  );
}

function WorkFacts({ lead }: { lead: Lead }) {
  return (
    <Facts
      facts={[
        ["State", <LeadStateBadge key="state" state={lead.state} />],
        ...(lead.lost_reason ? ([["Why it was lost", lead.lost_reason]] as const) : []),
        ["Owner", lead.owner_name ?? "Nobody"],
        ["Next step", lead.next_step],
        ["On", lead.next_step_on && showDay(lead.next_step_on)],
        ["GSTIN", lead.gstin],
      ]}
    />
  );
}

const valuesOf = (lead: Lead) => ({
  state: lead.state as string,
  lost_reason: lead.lost_reason,
  owner_id: lead.owner_id ?? "",
  next_step: lead.next_step,
  next_step_on: lead.next_step_on ?? "",
  gstin: lead.gstin ?? "",
});
type Values = ReturnType<typeof valuesOf>;
const names = ["state", "lost_reason", "owner_id", "next_step", "next_step_on", "gstin"] as const;

function WorkForm({ lead, onDirty }: { lead: Lead; onDirty: OnDirty }) {
  const editor = useLeadEditor(lead, onDirty);
  const { form, save, overtaken } = editor;
  const { owners, failure } = useOwners();
  const mayAssign = useMayCall()("admin/leads/join");
  // An owner who may no longer own leads is still shown where they do.
  const known = owners.some(({ id }) => id === lead.owner_id) || lead.owner_id === null;
  return (
    <form
      noValidate
      onSubmit={submitting(form, (typed) => {
        if (!save.isPending) save.mutate(typed);
      })}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <NativeSelect label="State" data={stateChoices} {...form.getInputProps("state")} />
          <NativeSelect
            label="Owner"
            disabled={!mayAssign}
            description={failure}
            data={[
              { value: "", label: "Nobody" },
              ...(known ? [] : [{ value: lead.owner_id ?? "", label: lead.owner_name ?? "" }]),
              ...owners.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...form.getInputProps("owner_id")}
          />
        </SimpleGrid>
        {form.values.state === "lost" && (
          <TextInput
            label="Why it was lost"
            maxLength={limits.leadLineLengthMax}
            {...form.getInputProps("lost_reason")}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput label="Next step" maxLength={limits.leadLineLengthMax} {...form.getInputProps("next_step")} />
          <TextInput
            label="On"
            type="date"
            description="The owner gets a mail on that day, while the lead is open."
            inputWrapperOrder={["label", "input", "description", "error"]}
            {...form.getInputProps("next_step_on")}
          />
          <TextInput label="GSTIN, if known" maxLength={15} {...form.getInputProps("gstin")} />
        </SimpleGrid>
        {save.error && !overtaken && <Refusal>{save.error.message}</Refusal>}
        {save.error && overtaken && (
          <Overtaken merges onKeep={editor.bringIn} onTake={editor.takeTheirs}>
            {save.error.message} What you typed is still here.
          </Overtaken>
        )}
        <Group>
          <ReadyButton type="submit" size="md" loading={save.isPending} isReady={editor.isDirty && overtaken === null}>
            Save
          </ReadyButton>
          {editor.isDirty && <Text c="var(--site-muted)">Not saved yet</Text>}
        </Group>
      </Stack>
    </form>
  );
}

/**
 * What is typed about a lead, and the version that it is based on. Somebody else's change never overwrites what is
 * typed: the editor tells of it and can merge it.
 */
function useLeadEditor(lead: Lead, onDirty: OnDirty) {
  const queries = useQueryClient();
  const keptAs = `work ${lead.id}`;
  const [kept] = useState(() => keptTyped(keptAs) as { base: Lead; typed: Values } | null);
  const [base, setBase] = useState(kept?.base ?? lead);
  const [overtaken, setOvertaken] = useState<Lead | null>(null);
  const form = useForm<Values>({
    initialValues: kept?.typed ?? valuesOf(lead),
    validate: (values) => fieldErrors(LeadChange)(onTheWire(base, values)),
  });
  const isDirty = names.some((name) => form.values[name] !== valuesOf(base)[name]);
  const load = (next: Lead, typed = valuesOf(next)) => {
    setBase(next);
    setOvertaken(null);
    form.setValues(typed);
    form.clearErrors();
    save.reset();
  };
  const save = useMutation({
    mutationFn: (sent: Values) => call("admin/leads/update", onTheWire(base, sent)),
    onSuccess: async ({ message }, sent) => {
      toast.success(message);
      // What is saved is no reason to ask whoever leaves before it is read again.
      setBase({ ...base, ...onTheWire(base, sent) });
      await refreshLeads(queries);
      const { lead: saved } = await fetchLead();
      // Text typed during the request stays, to be saved next.
      load(saved, withTyped(sent, form.getValues(), valuesOf(saved)));
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      showServerErrors(form, error);
      if (error.status === 409) setOvertaken((await fetchLead()).lead);
    },
  });
  const fetchLead = () => fetchLeadNow(queries, lead.id);
  useEffect(() => {
    if (lead.version > base.version && !isDirty) load(lead);
    // oxlint-disable-next-line react/exhaustive-deps -- only a new version of the lead loads it
  }, [lead.version]);
  const { values: typed } = form;
  useEffect(() => keepTyped(keptAs, isDirty ? { base, typed } : null), [keptAs, isDirty, base, typed]);
  useEffect(() => {
    onDirty(keptAs, isDirty);
    return () => onDirty(keptAs, false);
  }, [keptAs, isDirty, onDirty]);
  return {
    form,
    save,
    isDirty,
    overtaken,
    /** Takes over their values for fields that were not edited here, and keeps those that were. */
    bringIn() {
      if (!overtaken) return;
      load(overtaken, withTyped(valuesOf(base), form.values, valuesOf(overtaken)));
    },
    takeTheirs: () => overtaken && load(overtaken),
  };
}

const onTheWire = ({ id, version }: Lead, { owner_id, next_step_on, gstin, ...typed }: Values) => ({
  id,
  version,
  state: typed.state as Lead["state"],
  lost_reason: typed.state === "lost" ? typed.lost_reason.trim() : "",
  owner_id: owner_id || null,
  next_step: typed.next_step.trim(),
  next_step_on: next_step_on || null,
  gstin: gstin.trim() || null,
});
