import { Anchor, Button, Group, Text } from "@mantine/core";
import type { LadderCall } from "../../contract/ladders.ts";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../api.ts";
import { dueIn, showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { useDoing } from "../components/use-doing.ts";
import classes from "./incidents.module.css";
import { useNow } from "./use-now.ts";
import { refreshIncidents } from "./write-form.tsx";

const mailWords: Record<LadderCall["mail"], string> = {
  waiting: "Mailed when it is their turn",
  queued: "The mail is on its way",
  sent: "Mailed",
  failing: "The mail does not go out: telephone",
  none: "No mail was sent: telephone",
};

/** Who is called in turn and who was reached; our team notes the outcome of each call. */
export function LadderShown({
  calls,
  incidentId,
  isOurs,
}: {
  calls: readonly LadderCall[];
  incidentId: string;
  isOurs: boolean;
}) {
  const reached = calls.some(({ reached_at }) => reached_at !== null);
  return (
    <PanelSection
      level={2}
      title="Who is called"
      hint={reached ? "Somebody was reached: nobody else is mailed." : "In turn, until somebody is reached."}
    >
      <ol className={classes.timeline}>
        {calls.map((each) => (
          <li key={each.position}>
            <Call each={each} incidentId={incidentId} isOurs={isOurs} isOver={reached} />
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}

function Call({
  each,
  incidentId,
  isOurs,
  isOver,
}: {
  each: LadderCall;
  incidentId: string;
  isOurs: boolean;
  isOver: boolean;
}) {
  const now = useNow();
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text fz="inherit" fw={650}>
          <bdi>{each.name}</bdi>
        </Text>
        {each.reached_at ? (
          <StateBadge tone="good">Reached by {each.reached_by === "telephone" ? "telephone" : "the portal"}</StateBadge>
        ) : each.tried_at ? (
          <StateBadge tone="warning">Did not answer on {showTime(each.tried_at)}</StateBadge>
        ) : (
          <StateBadge tone="neutral">Not reached</StateBadge>
        )}
      </Group>
      <Anchor href={`tel:${each.phone}`} className="tabular" fz="inherit" td="underline">
        {each.phone}
      </Anchor>
      <div className={classes.muted}>
        {mailWords[each.mail]}
        {each.mailed_at && ` (${showTime(each.mailed_at)})`}
        {!each.mailed_at && !isOver && `, ${dueIn(each.due_at, now)}`}
      </div>
      {isOurs && each.reached_by !== "portal" && (
        <Group gap="xs" mt={6}>
          {!each.reached_at && <Noted incidentId={incidentId} each={each} reached />}
          <Noted incidentId={incidentId} each={each} reached={false} />
        </Group>
      )}
    </>
  );
}

function Noted({ incidentId, each, reached }: { incidentId: string; each: LadderCall; reached: boolean }) {
  const queries = useQueryClient();
  const note = useDoing(
    () => refreshIncidents(queries),
    () => call("admin/incidents/telephone", { id: incidentId, position: each.position, reached }),
  );
  const label = reached ? "Reached by telephone" : each.reached_at ? "Not reached after all" : "Did not answer";
  return (
    <Button
      variant="default"
      loading={note.isPending}
      aria-label={`${each.name}: ${label}`}
      onClick={() => note.mutate()}
    >
      {label}
    </Button>
  );
}
