import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import type { ClassesSaid, ClockQuestion, IncidentObligations, RegulatorClock } from "../../contract/obligations.ts";
import type { RegulatorFactKind } from "../../contract/regulator-fact-words.ts";
import { call } from "../api.ts";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { showTime, showWrittenDay } from "../components/display.ts";
import { ListEmpty } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { AttestedFacts, Filings } from "./attested-facts.tsx";
import { ClockCards } from "./clock-cards.tsx";
import { RuledOut } from "./ruled-out.tsx";
import { NoIncident } from "./no-incident.tsx";
import { isOpenClock, type ObligationReader } from "./clock-words.tsx";
import { EntityClasses } from "./entity-classes-section.tsx";
import type { ClassesDialogProps } from "./classes-dialog.tsx";
import type { DraftDialogProps } from "./draft-dialog.tsx";
import type { FactDialogProps } from "./fact-dialog.tsx";
import type { FilingDialogProps } from "./filing-dialog.tsx";

const FactDialog = openedLater<FactDialogProps>(() => import("./fact-dialog.tsx"), { asked: null });
const DraftDialog = openedLater<DraftDialogProps>(() => import("./draft-dialog.tsx"), { clock: null });
const FilingDialog = openedLater<FilingDialogProps>(() => import("./filing-dialog.tsx"), { clock: null });
const ClassesDialog = openedLater<ClassesDialogProps>(() => import("./classes-dialog.tsx"), { said: null });

const refetchMs = 30_000;

/** The regulators' clocks of an incident: known facts, open questions, deadlines, and drafts. */
export function RegulatorsPage({ reader }: { reader: ObligationReader }) {
  const { id = "" } = useParams();
  const name = `${reader}/incidents/{id}/obligations` as const;
  const found = useQuery({
    queryKey: [name, { id }],
    queryFn: ({ signal }) => call(name, { id }, signal),
    refetchInterval: refetchMs,
  });
  if (!found.data)
    return (
      <NoIncident title="Regulators’ clocks" reader={reader} error={found.error} onRetry={() => void found.refetch()} />
    );
  return (
    <>
      <Anchor component={Link} to={`/${reader}/incidents/${id}`} className="screen-only">
        Back to {found.data.incident.number}
      </Anchor>
      <PageTitle
        title={`Regulators’ clocks of ${found.data.incident.number}`}
        hint={`${found.data.incident.title}${reader === "user" ? "" : `, ${found.data.organizationName}`}`}
      />
      {found.isError && (
        <Alert color="orange" mb="md">
          This was loaded on {showTime(found.data.asOf)} and can’t be refreshed right now. We keep trying.
        </Alert>
      )}
      <Regulators reader={reader} state={found.data} />
    </>
  );
}

function Regulators({ reader, state }: { reader: ObligationReader; state: IncidentObligations }) {
  const mayCall = useMayCall();
  const [asked, setAsked] = useState<RegulatorFactKind | "any" | null>(null);
  const [drafted, setDrafted] = useState<RegulatorClock | null>(null);
  const [filed, setFiled] = useState<RegulatorClock | null>(null);
  const [said, setSaid] = useState<ClassesSaid | null>(null);
  const mayAttest = reader !== "partner" && mayCall(`${reader}/incidents/{id}/facts`);
  const open = state.clocks.filter(isOpenClock);
  const done = state.clocks.filter(({ state: each }) => each === "filed" || each === "filed late");
  const ruledOut = state.clocks.filter(({ state: each }) => each === "not" || each === "not in force");
  const id = state.incident.id;
  const maySay = reader === "user" && mayCall("user/obligations/classes");
  // Comes first until the classes are given, as without them nothing is ruled out.
  const isSaid = state.entity.classes.length > 0;
  const entity = <EntityClasses entity={state.entity} onSay={maySay ? () => setSaid(state.entity) : null} />;
  const actions = {
    onDraft: reader === "partner" ? null : setDrafted,
    onFile: reader === "user" ? setFiled : null,
  };
  return (
    <Stack gap="xl">
      <Alert color="blue" variant="light" title={duty[reader]} role="note">
        This page counts and drafts; it does not file. Whoever files reads the law that applies. An answer that nobody
        knows is shown as a question here, and never as a no.
      </Alert>
      {!isSaid && entity}
      <Questions
        clocks={open}
        onAsk={mayAttest ? setAsked : null}
        onSay={maySay ? () => setSaid(state.entity) : null}
      />
      <PanelSection
        title="Open clocks"
        level={2}
        bare
        hint={`Counted by the law of ${showWrittenDay(state.incidentDay)}, the day of the incident. All times in India.`}
      >
        {open.length === 0 ? (
          <ListEmpty message="No clock is open by what is known" />
        ) : (
          <ClockCards clocks={open} asOf={state.asOf} {...actions} />
        )}
      </PanelSection>
      {done.length > 0 && (
        <PanelSection title="Filed" level={2} bare>
          <ClockCards clocks={done} asOf={state.asOf} onDraft={actions.onDraft} onFile={actions.onFile} />
        </PanelSection>
      )}
      {isSaid && entity}
      <AttestedFacts state={state} onAttest={mayAttest ? () => setAsked("any") : null} />
      <Filings filings={state.filings} />
      <RuledOut clocks={ruledOut} />
      <FactDialog
        reader={reader === "admin" ? "admin" : "user"}
        incidentId={id}
        asked={asked}
        onClose={() => setAsked(null)}
      />
      <DraftDialog
        reader={reader === "admin" ? "admin" : "user"}
        incidentId={id}
        clock={drafted}
        onClose={() => setDrafted(null)}
      />
      <FilingDialog incidentId={id} people={state.people} clock={filed} onClose={() => setFiled(null)} />
      <ClassesDialog said={said} onClose={() => setSaid(null)} />
    </Stack>
  );
}

const duty: Record<ObligationReader, string> = {
  user: "The duty to report is yours",
  partner: "The duty to report is the customer’s",
  admin: "The duty to report is the customer’s",
};

/** The facts that open clocks depend on and that nobody has given, each asked once. */
function Questions({
  clocks,
  onAsk,
  onSay,
}: {
  clocks: readonly RegulatorClock[];
  onAsk: ((fact: RegulatorFactKind) => void) | null;
  onSay: (() => void) | null;
}) {
  const asked = new Map<string, ClockQuestion & { clocks: number }>();
  for (const question of clocks.flatMap(({ questions }) => questions)) {
    const key = question.fact ?? "classes";
    asked.set(key, { ...question, clocks: (asked.get(key)?.clocks ?? 0) + 1 });
  }
  if (asked.size === 0) return null;
  return (
    <PanelSection
      title="What has to be known"
      level={2}
      hint="Each answer is kept with the name of who gave it, and when."
    >
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {[...asked].map(([key, { fact, question, who, clocks: count }]) => (
          <Group key={key} component="li" justify="space-between" gap="sm" wrap="wrap">
            <div style={{ flex: "1 1 240px" }}>
              <Text fw={600}>{fact ? question : "What is your organization to regulators?"}</Text>
              <Text fz="sm" c="var(--site-muted)">
                Asked of {who}; {count} {count === 1 ? "clock depends" : "clocks depend"} on it
              </Text>
            </div>
            {fact
              ? onAsk && (
                  <Button variant="default" aria-label={`Answer: ${question}`} onClick={() => onAsk(fact)}>
                    Answer
                  </Button>
                )
              : onSay && (
                  <Button
                    variant="default"
                    aria-label="Answer: What is your organization to regulators?"
                    onClick={onSay}
                  >
                    Answer
                  </Button>
                )}
          </Group>
        ))}
      </Stack>
    </PanelSection>
  );
}
