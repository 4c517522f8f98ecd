import { NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { incidentTypeNumbers, type IncidentType, incidentTypes } from "../../contract/incident-types.ts";
import { limits } from "../../contract/limits.ts";
import {
  type FactKind,
  factKindNames,
  factKinds,
  type RegulatorFactKind,
} from "../../contract/regulator-fact-words.ts";
import type { FactValue } from "../../contract/regulator-facts.ts";
import { ApiError, call } from "../api.ts";
import { CheckBox } from "../components/check-box.tsx";
import { Dialog } from "../components/dialog.tsx";
import { DialogEnd } from "../forms/dialog-end.tsx";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import { asInstant, asTyped } from "../forms/time-typed.ts";
import { toast } from "../toast.ts";
import classes from "./obligations.module.css";
import { heldWhileSent } from "../forms/held-while-sent.ts";

export interface FactDialogProps {
  reader: "user" | "admin";
  incidentId: string;
  /** The fact to attest; "any" lets the user choose. */
  asked: RegulatorFactKind | "any" | null;
  onClose: () => void;
}

export default function FactDialog({ reader, incidentId, asked, onClose }: FactDialogProps) {
  return (
    <Dialog opened={asked !== null} onClose={onClose} title="Attest a fact" size="lg">
      {asked && <FactForm key={asked} reader={reader} incidentId={incidentId} asked={asked} onClose={onClose} />}
    </Dialog>
  );
}

/** Kept until it is attested or cancelled, so that it survives Escape and the end of a session. */
interface Kept {
  factId: string;
  kind: RegulatorFactKind;
  value: FactValue;
}

function FactForm({ reader, incidentId, asked, onClose }: FactDialogProps & { asked: RegulatorFactKind | "any" }) {
  const queries = useQueryClient();
  const keptAs = `fact ${incidentId} ${asked}`;
  const [kept] = useState(() => keptTyped(keptAs) as Kept | null);
  // One id, so that a repeated click is the same fact.
  const [factId] = useState(() => kept?.factId ?? crypto.randomUUID());
  const [kind, setKind] = useState<RegulatorFactKind>(kept?.kind ?? (asked === "any" ? "affected systems" : asked));
  const [value, setValue] = useState<FactValue | null>(kept?.value ?? null);
  useEffect(() => keepTyped(keptAs, value && { factId, kind, value }), [keptAs, factId, kind, value]);
  const leave = () => {
    keepTyped(keptAs, null);
    onClose();
  };
  const sending = useMutation({
    mutationFn: (fact: FactValue) =>
      call(`${reader}/incidents/{id}/facts`, { id: incidentId, factId, kind, value: fact }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: [`${reader}/incidents/{id}/obligations`] });
      leave();
    },
  });
  const wrong = sending.error instanceof ApiError ? (sending.error.fields["value"] ?? null) : null;
  return (
    <form
      {...heldWhileSent(sending.isPending)}
      onSubmit={(event) => {
        event.preventDefault();
        if (value && !sending.isPending) sending.mutate(value);
      }}
    >
      <Stack gap="md">
        {asked === "any" && (
          <NativeSelect
            label="Fact"
            data={factKindNames.map((each) => ({ value: each, label: factKinds[each].label }))}
            value={kind}
            data-autofocus
            onChange={(event) => {
              setKind(event.currentTarget.value as RegulatorFactKind);
              setValue(null);
            }}
          />
        )}
        <Field key={kind} kind={kind} first={value} wrong={wrong} onChange={setValue} />
        <Text fz="sm" c="var(--site-muted)">
          It is kept with your name and the time, and stays to be seen when another entry takes its place.
        </Text>
        <DialogEnd sending={sending} submit="Attest" isReady={value !== null} onClose={leave} />
      </Stack>
    </form>
  );
}

/** A field's initial value. */
interface First {
  at?: string;
  types?: readonly IncidentType[];
  yes?: boolean;
  choice?: string;
  words?: string;
}

interface FieldProps {
  kind: RegulatorFactKind;
  first: First | null;
  wrong: string | null;
  onChange: (value: FactValue | null) => void;
}

function Field({ kind, first, wrong, onChange }: FieldProps): ReactNode {
  const { of, question }: FactKind = factKinds[kind];
  if (of === "time") return <TimeField label={question} first={first} wrong={wrong} onChange={onChange} />;
  if (of === "types") return <TypesField label={question} first={first} onChange={onChange} />;
  if (of === "words")
    return (
      <Textarea
        label={question}
        description="It goes into drafts, and decides nothing."
        autosize
        minRows={3}
        maxLength={limits.messageLengthMax}
        defaultValue={first?.words}
        error={wrong}
        onChange={(event) => {
          const words = event.currentTarget.value;
          onChange(words.trim() ? { words } : null);
        }}
      />
    );
  const choices = of === "yes or no" ? { yes: "Yes", no: "No" } : of;
  return (
    <NativeSelect
      label={question}
      error={wrong}
      data={[
        { value: "", label: "Please choose" },
        ...Object.entries(choices).map(([choice, label]) => ({ value: choice, label })),
      ]}
      defaultValue={first?.choice ?? (first?.yes === undefined ? "" : first.yes ? "yes" : "no")}
      onChange={(event) => {
        const choice = event.currentTarget.value;
        if (choice === "") onChange(null);
        else onChange(of === "yes or no" ? { yes: choice === "yes" } : { choice });
      }}
    />
  );
}

/** A time in India's time zone, wherever the page is read. */
function TimeField({ label, first, wrong, onChange }: { label: string } & Omit<FieldProps, "kind">) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description="In Indian time (IST), to the minute."
      defaultValue={first?.at && asTyped(first.at)}
      error={wrong}
      onChange={(event) => {
        const at = asInstant(event.currentTarget.value);
        onChange(at ? { at } : null);
      }}
    />
  );
}

function TypesField({ label, first, onChange }: { label: string } & Pick<FieldProps, "first" | "onChange">) {
  const [types, setTypes] = useState<readonly IncidentType[]>(first?.types ?? []);
  const [isNone, setIsNone] = useState(first?.types?.length === 0);
  const choose = (next: readonly IncidentType[], none: boolean) => {
    setTypes(next);
    setIsNone(none);
    onChange(none ? { types: [] } : next.length > 0 ? { types: [...next] } : null);
  };
  return (
    <fieldset className={classes.types}>
      <Text component="legend" fw={600}>
        {label}
      </Text>
      {incidentTypeNumbers.map((each) => (
        <CheckBox
          key={each}
          label={`${each} ${incidentTypes[each]}`}
          checked={types.includes(each)}
          onChange={(checked) => choose(checked ? [...types, each] : types.filter((other) => other !== each), false)}
        />
      ))}
      <CheckBox
        label="None of these twenty: I attest that"
        checked={isNone}
        onChange={(checked) => choose([], checked)}
      />
    </fieldset>
  );
}
