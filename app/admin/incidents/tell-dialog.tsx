import { NativeSelect, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import {
  incidentVerdictNames,
  incidentVerdicts,
  type IncidentVerdict,
  knownSeverities,
  type KnownSeverity,
  severityNames,
  type WaitsFor,
  waitsFor,
} from "../../../contract/incident-states.ts";
import type { IncidentRoom, TimelineFact } from "../../../contract/incidents.ts";
import { limits } from "../../../contract/limits.ts";
import { call } from "../../api.ts";
import { CheckBox } from "../../components/check-box.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { asInstant, asTyped } from "../../forms/time-typed.ts";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { tellings, type Told } from "./tellings.ts";

export interface TellDialogProps {
  told: { news: Told; corrects: TimelineFact | null } | null;
  /** The incident that it is about. */
  room?: IncidentRoom | null;
  onClose: () => void;
}

/** Tells news of an incident, or corrects news already told. */
export default function TellDialog({ told, room, onClose }: TellDialogProps) {
  const title = told ? (told.corrects ? `Correct: ${tellings[told.news].label}` : tellings[told.news].title) : "";
  return (
    <Dialog opened={told !== null} onClose={onClose} title={title}>
      {told && <Form key={`${told.news} ${told.corrects?.id}`} told={told} room={room ?? null} onClose={onClose} />}
    </Dialog>
  );
}

interface Typed {
  at: string;
  text: string;
  /** Empty until one is chosen, if the severity is not known yet. */
  severity: KnownSeverity | "";
  owner: string;
  waits: WaitsFor | "";
  reason: string;
  ask: string;
  verdict: IncidentVerdict;
  into: string;
  internal: boolean;
  withdrawn: boolean;
}

function Form({
  told,
  room,
  onClose,
}: {
  told: NonNullable<TellDialogProps["told"]>;
  room: IncidentRoom | null;
  onClose: () => void;
}) {
  const { news, corrects } = told;
  const id = room?.id ?? "";
  const open = room?.questions.filter(({ answer }) => answer === null) ?? [];
  const keptAs = `tell ${id} ${news} ${corrects?.id}`;
  const { form, idOf, leave } = useKeptForm<Typed>(keptAs, firstOf(news, corrects, room), onClose);
  const standing = corrects ? null : (room?.severity ?? null);
  // The chosen question may be answered by now; the first open one is selected then.
  const askOf = ({ ask }: Typed) => (open.find((each) => each.id === ask) ?? open[0])?.id ?? "";
  return (
    <DialogForm
      form={form}
      send={(typed) =>
        news === "merged"
          ? call("admin/incidents/merge", { id, fact_id: idOf(typed), into: typed.into })
          : call("admin/incidents/tell", {
              id,
              fact_id: idOf(typed),
              ...sentOf(news, { ...typed, ask: askOf(typed) }, corrects),
            })
      }
      refresh={["admin/incidents/{id}", "admin/incidents"]}
      submit={corrects ? "Correct it" : tellings[news].label}
      isReady={news !== "severity" || (form.values.severity !== "" && form.values.severity !== standing)}
      onClose={leave}
    >
      <Fields news={news} form={form} open={corrects ? [] : open} />
      {news !== "merged" && (
        <TextInput
          label="When it happened"
          description={`In Indian time (IST). ${corrects ? "The original stays visible beside the correction" : "Leave empty for now"}`}
          type="datetime-local"
          {...form.getInputProps("at")}
        />
      )}
      {corrects && (
        <CheckBox
          label="It never happened: take it back"
          checked={form.values.withdrawn}
          onChange={(withdrawn) => form.setFieldValue("withdrawn", withdrawn)}
        />
      )}
    </DialogForm>
  );
}

/** The fields' initial values. */
function firstOf(news: Told, corrects: TimelineFact | null, room: IncidentRoom | null): Typed {
  const severity = (corrects ?? room)?.severity ?? "unknown";
  return {
    at: corrects ? asTyped(corrects.occurred_at) : "",
    text: corrects?.text ?? "",
    severity: severity === "unknown" ? "" : severity,
    owner: corrects?.owner_email ?? "",
    waits:
      corrects?.waits_for ?? (news === "waiting" ? "third_party" : news === "resumed" ? (room?.waits_for ?? "") : ""),
    reason: corrects?.reason ?? "",
    ask: "",
    verdict: corrects?.verdict ?? "true_positive",
    into: "",
    internal: corrects?.internal ?? false,
    withdrawn: false,
  };
}

function sentOf(
  news: Exclude<Told, "merged">,
  { at, text, severity, owner, waits, reason, ask, verdict, internal, withdrawn }: Typed,
  corrects: TimelineFact | null,
) {
  const hasWaits = (news === "asked" || news === "waiting" || news === "resumed") && waits !== "";
  return {
    news,
    ...(at && { occurred_at: instantOf(at, corrects) }),
    ...(text.trim() && { text }),
    ...(news === "severity" && severity && { severity }),
    ...(news === "owner" && owner.trim() && { owner_email: owner.trim() }),
    ...(hasWaits && { waits_for: waits }),
    ...(hasWaits && reason.trim() && { reason }),
    // A corrected answer keeps its question.
    ...(news === "answered" && !corrects && { ask }),
    ...(news === "closed" && { verdict }),
    ...(news === "commented" && internal && { internal }),
    ...(corrects && { corrects: corrects.id, withdrawn }),
  };
}

/** The field holds whole minutes: a time that nobody edited keeps its seconds, since the clocks count from it. */
const instantOf = (at: string, corrects: TimelineFact | null): string =>
  corrects && at === asTyped(corrects.occurred_at) ? corrects.occurred_at : asInstant(at);

const textLabels: Partial<Record<Told, string>> = {
  asked: "What the customer should do or answer",
  answered: "What they answered",
  commented: "Comment",
  action: "What was done",
};

function Fields({ news, form, open }: { news: Told; form: UseFormReturnType<Typed>; open: IncidentRoom["questions"] }) {
  if (news === "merged")
    return (
      <>
        <Text>Its clocks stop; both stay readable. Choose another incident of the same customer.</Text>
        <TextInput
          label="Number of the other incident"
          placeholder="I-000123"
          required
          data-autofocus
          {...form.getInputProps("into")}
        />
      </>
    );
  return (
    <>
      {news === "severity" && (
        <NativeSelect
          label="Severity"
          description="If raised, its limits count from now; if lowered, from the start"
          data={[
            ...(form.values.severity === "" ? [{ value: "", label: "Please choose" }] : []),
            ...knownSeverities.map((value) => ({ value, label: severityNames[value] })),
          ]}
          data-autofocus
          {...form.getInputProps("severity")}
        />
      )}
      {news === "owner" && (
        <TextInput
          label="E-mail of the owner"
          description="Leave empty for yourself"
          type="email"
          data-autofocus
          {...form.getInputProps("owner")}
        />
      )}
      {news === "answered" && open.length > 0 && (
        <NativeSelect
          label="Which question"
          data={open.map(({ id, text }) => ({ value: id, label: text.slice(0, 80) }))}
          data-autofocus
          {...form.getInputProps("ask")}
        />
      )}
      {news === "closed" && (
        <NativeSelect
          label="What it was"
          data={incidentVerdictNames.map((value) => ({ value, label: incidentVerdicts[value] }))}
          data-autofocus
          {...form.getInputProps("verdict")}
        />
      )}
      <Textarea
        label={textLabels[news] ?? "In words"}
        required={news === "asked" || news === "commented" || news === "answered"}
        autosize
        minRows={2}
        maxLength={limits.messageLengthMax}
        // Of several the first one takes it.
        data-autofocus
        {...form.getInputProps("text")}
      />
      {(news === "asked" || news === "waiting" || news === "resumed") && <Waiting news={news} form={form} />}
      {news === "commented" && (
        <CheckBox
          label="Only our team reads it"
          checked={form.values.internal}
          onChange={(internal) => form.setFieldValue("internal", internal)}
        />
      )}
    </>
  );
}

const Waiting = ({ news, form }: { news: Told; form: UseFormReturnType<Typed> }) => (
  <>
    <NativeSelect
      label="Whom it waits for"
      description="The service levels say which clocks pause then"
      data={[
        ...(news === "asked" ? [{ value: "", label: "Nobody: the clocks keep running" }] : []),
        ...(Object.keys(waitsFor) as WaitsFor[]).map((value) => ({ value, label: waitsFor[value] })),
      ]}
      {...form.getInputProps("waits")}
    />
    {news !== "resumed" && form.values.waits !== "" && (
      <TextInput
        label="Why our team can’t continue meanwhile"
        description="Without a reason no clock pauses; the customer sees it"
        required
        maxLength={limits.contractReasonLengthMax}
        {...form.getInputProps("reason")}
      />
    )}
  </>
);
