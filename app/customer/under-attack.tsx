import { Alert, Anchor, Box, Button, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { IconPhone } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { incidentStates } from "../../contract/incident-states.ts";
import { limits } from "../../contract/limits.ts";
import type { Answer } from "../../contract/operations.ts";
import { ApiError, call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { Refusal } from "../components/refusal.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { showServerErrors } from "../forms/form-errors.ts";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import { useSentId } from "../forms/use-sent-id.ts";
import { LadderEditor } from "../incidents/ladder-editor.tsx";
import { LadderShown } from "../incidents/ladder-shown.tsx";
import classes from "../incidents/incidents.module.css";
import { refreshIncidents } from "../incidents/write-form.tsx";
import { toast } from "../toast.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";

export const meta = () => [{ title: `We are under attack – ${brand.name}` }];

/** A page for an emergency: telephone numbers first, then three fields, then who was reached. */
export default function UnderAttack() {
  const found = useQuery({
    queryKey: ["user/under-attack"],
    queryFn: ({ signal }) => call("user/under-attack", {}, signal),
    refetchInterval: 10_000,
  });
  // Once something is typed, the form stays, even when a colleague has reported the attack.
  const [isReporting, setIsReporting] = useState(() => keptReport() !== null);
  const [reports, setReports] = useState(0);
  const attack = found.data;
  return (
    <Box maw={760}>
      <PageTitle
        title="We are under attack"
        hint="Telephone first. Then tell us below what happens, so that all of us know."
      />
      <ul className={classes.phones} aria-label="Our telephone numbers">
        {brand.phones.map((phone) => (
          <li key={phone}>
            <a href={`tel:${phone.replaceAll(" ", "")}`}>
              <IconPhone size={28} aria-hidden />
              <span className="tabular">{phone}</span>
            </a>
          </li>
        ))}
      </ul>
      <div role="status">
        {attack?.mail_is_down && (
          <Alert color="red" mt="md">
            <strong>Mail does not go out at present.</strong> Your report reaches our team all the same; telephone, and
            call your own contacts below yourself.
          </Alert>
        )}
        {found.isError && (
          <Alert color="red" mt="md">
            We can’t be reached by the internet at present. Telephone now.
          </Alert>
        )}
      </div>
      <Stack gap="lg" mt="lg">
        {attack?.incident && <Open attack={attack} incident={attack.incident} reports={reports} />}
        {(!attack?.incident || isReporting) && (
          <Report
            meanwhile={attack?.incident?.number ?? null}
            onTyping={() => setIsReporting(true)}
            onSent={() => {
              setIsReporting(false);
              setReports(reports + 1);
            }}
          />
        )}
        {attack?.incident && (
          <Button
            variant="default"
            size="md"
            onClick={() => {
              keepTyped(keptName, null);
              setIsReporting(!isReporting);
            }}
            style={{ alignSelf: "start" }}
          >
            {isReporting ? "Leave this report" : "Report something else"}
          </Button>
        )}
        <LadderEditor />
      </Stack>
    </Box>
  );
}

function Open({
  attack,
  incident,
  reports,
}: {
  attack: Answer<"user/under-attack">;
  incident: NonNullable<Answer<"user/under-attack">["incident"]>;
  /** How often this user has reported here. Each time the form goes, and the control before it is a telephone number. */
  reports: number;
}) {
  const room = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (reports > 0) room.current?.focus();
  }, [reports]);
  return (
    <>
      <PanelSection level={2} title={`${incident.number} is open as a ${incident.severity}`}>
        <Text>
          Reported on {showTime(incident.opened_at)}. State: {incidentStates[incident.state].toLowerCase()}.
        </Text>
        <Anchor component={Link} to={`/user/incidents/${incident.id}`} ref={room}>
          Open its room: what we do, and what we ask of you
        </Anchor>
      </PanelSection>
      {attack.calls.length > 0 && <LadderShown calls={attack.calls} incidentId={incident.id} isOurs={false} />}
    </>
  );
}

interface Typed {
  what: string;
  since: string;
  call: string;
}
/** Kept until it is sent, so that it survives the end of a session and a reload. */
interface Kept {
  typed: Typed;
  /** The report that was sent last, and its id: it may have arrived. */
  tried: readonly [report: Typed, id: string] | null;
}
const keptName = "attack";
const keptReport = () => keptTyped(keptName) as Kept | null;
const isBlank = (typed: Typed) => Object.values(typed).every((part: string) => part.trim() === "");

function Report({
  meanwhile,
  onTyping,
  onSent,
}: {
  /** The number of an incident that is already open; a colleague may have reported it while this was typed. */
  meanwhile: string | null;
  onTyping: () => void;
  onSent: () => void;
}) {
  const queries = useQueryClient();
  // The same report keeps its id: a second press or a lost answer opens no second incident; additions join the first.
  const [kept] = useState(keptReport);
  const sent = useSentId(kept?.tried);
  const form = useForm({
    initialValues: kept?.typed ?? { what: "", since: "", call: "" },
    onValuesChange: (typed: Typed) => {
      keepTyped(keptName, isBlank(typed) ? null : { typed, tried: keptReport()?.tried ?? null });
      onTyping();
    },
  });
  const sending = useMutation({
    mutationFn: (report: Typed) => {
      const id = sent.idOf(report);
      if (!isBlank(report)) keepTyped(keptName, { typed: report, tried: [report, id] });
      return call("user/under-attack/post", { id, ...report });
    },
    onSuccess: ({ message }, report) => {
      toast.success(message);
      sent.forget();
      // Input typed during the request stays, to be sent next, even if the page was reloaded meanwhile.
      if (JSON.stringify(keptReport()?.typed ?? form.getValues()) !== JSON.stringify(report)) return;
      keepTyped(keptName, null);
      onSent();
    },
    onError: (error) => {
      if (error instanceof ApiError) showServerErrors(form, error);
    },
    onSettled: () => refreshIncidents(queries),
  });
  return (
    <PanelSection level={2} title="Tell us">
      <Text role="status" mb={meanwhile ? "md" : 0}>
        {meanwhile && `${meanwhile} is open. Send what you know as well, or leave this report.`}
      </Text>
      <form
        noValidate
        {...heldWhileSent(sending.isPending)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending.isPending) sending.mutate(form.getValues());
        }}
      >
        <Stack gap="md">
          <ReportFields form={form} />
          {sending.error && (
            <Refusal title={sending.error.message}>Telephone now; you can send this again at any time.</Refusal>
          )}
          <Button
            type="submit"
            size="lg"
            color="#b42318"
            loading={sending.isPending}
            h="auto"
            mih={50}
            py="xs"
            styles={{ label: { whiteSpace: "normal" } }}
          >
            Report it and call everybody
          </Button>
        </Stack>
      </form>
    </PanelSection>
  );
}

function ReportFields({ form }: { form: UseFormReturnType<Typed> }) {
  return (
    <>
      <Textarea
        label="What happens"
        required
        autosize
        minRows={3}
        maxLength={limits.messageLengthMax}
        size="md"
        {...form.getInputProps("what")}
      />
      <TextInput label="Since when" required maxLength={120} size="md" {...form.getInputProps("since")} />
      <TextInput
        label="Whom we call"
        description="Name and number"
        required
        maxLength={160}
        size="md"
        {...form.getInputProps("call")}
      />
    </>
  );
}
