import { Alert, Anchor, Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { Link, useParams } from "react-router";
import { incidentSources } from "../../contract/incident-states.ts";
import type { IncidentRoom as Room, TimelineFact } from "../../contract/incidents.ts";
import { call } from "../api.ts";
import { isolated, showTime } from "../components/display.ts";
import { EngineLink } from "../components/engine-link.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Facts, PanelSection } from "../components/panel-section.tsx";
import { useKeepUnsaved } from "../components/use-keep-unsaved.ts";
import { keepTyped } from "../forms/kept-typed.ts";
import { ClocksShown } from "./clocks-shown.tsx";
import { DossierButton } from "./dossier-button.tsx";
import { EngineCase } from "./engine-case.tsx";
import { IncidentFiles } from "./incident-files.tsx";
import { IncidentStateBadge, type Reader, SeverityBadge } from "./incident-words.tsx";
import classes from "./incidents.module.css";
import { LadderShown } from "./ladder-shown.tsx";
import { NoIncident } from "../obligations/no-incident.tsx";
import { RegulatorsSummary } from "../obligations/regulators-summary.tsx";
import { Questions } from "./questions.tsx";
import { Timeline } from "./timeline.tsx";
import { type OnDirty, WriteForm } from "./write-form.tsx";

interface IncidentRoomProps {
  reader: Reader;
  /** Our team's tools. */
  tools?: (room: Room) => ReactNode;
  /** Null if the reader may not correct anything. */
  onCorrect?: ((fact: TimelineFact, room: Room) => void) | null;
}

/**
 * An incident: its state, the promised times, what happened, and forms for each side to add to it. It remounts for
 * another incident, such as the one that it was merged into, so that nothing typed is carried over.
 */
export function IncidentRoom(props: IncidentRoomProps) {
  const { id = "" } = useParams();
  return <RoomOf key={id} id={id} {...props} />;
}

function RoomOf({ id, reader, tools, onCorrect = null }: IncidentRoomProps & { id: string }) {
  const name = `${reader}/incidents/{id}` as const;
  const found = useQuery({
    queryKey: [name, { id }],
    queryFn: ({ signal }) => call(name, { id }, signal),
    refetchInterval: 20_000,
  });
  const room = found.data;
  // Open questions to the reader come first, and stay there once answered, as the reader may be typing.
  const [asksFirst, setAsksFirst] = useState(false);
  if (!asksFirst && reader === "user" && room?.questions.some(({ answer }) => answer === null)) setAsksFirst(true);
  const onDirty = useUnsent();
  if (!room)
    return <NoIncident title="Incident" reader={reader} error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <>
      <Anchor component={Link} to={`/${reader}/incidents`} className="screen-only">
        All incidents
      </Anchor>
      <PageTitle title={`${room.number}: ${room.title}`} hint={reader === "user" ? "" : room.organization_name} />
      <Group gap={4} mt={-8} mb="lg">
        <SeverityBadge severity={room.severity} />
        <IncidentStateBadge state={room.state} waits={room.waits_for} reader={reader} />
      </Group>
      {found.isError && (
        <Alert color="orange" mb="md">
          This was loaded on {showTime(new Date(found.dataUpdatedAt).toISOString())} and can’t be refreshed right now.
          We keep trying.
        </Alert>
      )}
      {room.merged_into && <GoesOn into={room.merged_into} reader={reader} />}
      {reader === "user" && room.waits.map((wait) => <Waits key={wait.id} wait={wait} />)}
      {asksFirst && (
        <Box mb={20}>
          <Questions room={room} reader={reader} onDirty={onDirty} />
        </Box>
      )}
      <ClocksShown room={room} />
      <div className={classes.room}>
        <div>
          {!asksFirst && <Questions room={room} reader={reader} onDirty={onDirty} />}
          {tools?.(room)}
          <RegulatorsSummary reader={reader} id={room.id} />
          <PanelSection level={2} title="What happened" hint="Newest first. All times in India.">
            <Timeline
              facts={room.timeline}
              reader={reader}
              onCorrect={onCorrect && ((fact) => onCorrect(fact, room))}
            />
          </PanelSection>
          {reader !== "admin" && <Comment room={room} reader={reader} onDirty={onDirty} />}
          {reader !== "admin" && <IncidentFiles room={room} reader={reader} />}
        </div>
        <div>
          <AboutIncident room={room} reader={reader} />
          {room.ladder.length > 0 && (
            <LadderShown calls={room.ladder} incidentId={room.id} isOurs={reader === "admin"} />
          )}
          {reader === "admin" && <IncidentFiles room={room} reader={reader} />}
          {room.engine && <EngineCase engine={room.engine} />}
          {room.findings.length > 0 && <Findings room={room} />}
        </div>
      </div>
    </>
  );
}

const GoesOn = ({ into: { id, number }, reader }: { into: NonNullable<Room["merged_into"]>; reader: Reader }) => (
  <Alert color="blue" mb="md">
    It goes on in{" "}
    <Anchor component={Link} to={`/${reader}/incidents/${id}`}>
      {number}
    </Anchor>
    .
  </Alert>
);

const Waits = ({ wait: { text, since } }: { wait: Room["waits"][number] }) => (
  <Alert color="orange" mb="md">
    <Text fz="inherit" fw={600} className={classes.words ?? ""}>
      {text}
    </Text>
    We have waited for you since {showTime(since)}. Write to us below once it is done, and our team goes on.
  </Alert>
);

/** Tracks unsent text in all of the room's forms, and asks once for all of them before the user leaves. */
function useUnsent(): OnDirty {
  const unsent = useRef(new Set<string>());
  useKeepUnsaved(
    () => unsent.current.size > 0,
    "about this incident",
    () => unsent.current.forEach((keptAs) => keepTyped(keptAs, null)),
  );
  return useCallback((keptAs, isDirty) => {
    if (isDirty) unsent.current.add(keptAs);
    else unsent.current.delete(keptAs);
  }, []);
}

const AboutIncident = ({ room, reader }: { room: Room; reader: Reader }) => (
  <PanelSection level={2} title="About it" aside={<DossierButton reader={reader} id={room.id} />}>
    <Facts
      facts={[
        ["How it began", incidentSources[room.source]],
        ["Detected or reported", showTime(room.opened_at)],
        ["Owner", room.owner ? <bdi>{room.owner}</bdi> : "Nobody yet"],
        [
          reader === "user" ? "Seen first on your side" : "Seen first at the customer",
          room.first_seen ? `${isolated(room.first_seen.by)}, ${showTime(room.first_seen.at)}` : "Not yet",
        ],
        ...(room.report
          ? ([
              [
                "What happens, as reported",
                <span key="what" className={classes.words}>
                  {room.report.what}
                </span>,
              ],
              ["Since", room.report.since],
              ["Whom to call", room.report.call],
            ] as const)
          : []),
        ...(room.on_call
          ? ([
              [
                "Our team on call",
                room.on_call.told_at ? `Woken ${showTime(room.on_call.told_at)}` : "Not reached yet; we go on trying",
              ],
            ] as const)
          : []),
      ]}
    />
  </PanelSection>
);

const Comment = ({ room: { id }, reader, onDirty }: { room: Room; reader: "user" | "partner"; onDirty: OnDirty }) => (
  <div className="screen-only">
    <PanelSection level={2} title="Write to us about it">
      <WriteForm
        label="Comment"
        keptAs={`comment ${id}`}
        submit="Send"
        onDirty={onDirty}
        send={(text, fact_id) => call(`${reader}/incidents/comment`, { id, fact_id, text })}
      />
    </PanelSection>
  </div>
);

const Findings = ({ room: { findings } }: { room: Room }) => (
  <PanelSection level={2} title="Findings that belong to it">
    <ul className={classes.timeline}>
      {findings.map(({ id, title, severity, at, link }) => (
        <li key={id}>
          <Text fz="inherit">
            <EngineLink to={link}>{title}</EngineLink>
          </Text>
          <div className={classes.muted}>
            <span className={classes.severity}>{severity}</span>, {showTime(at)}
          </div>
        </li>
      ))}
    </ul>
  </PanelSection>
);
