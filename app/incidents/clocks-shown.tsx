import { Group, Text } from "@mantine/core";
import { clockNames } from "../../contract/incident-states.ts";
import type { ClockShown, IncidentRoom } from "../../contract/incidents.ts";
import { dueIn, showMinutes, showTime } from "../components/display.ts";
import { ClockStateBadge } from "./incident-words.tsx";
import classes from "./incidents.module.css";
import { useNow } from "./use-now.ts";

/** The promised times, and where each stands at this minute, in words. */
export function ClocksShown({ room: { clocks, levels, breaches } }: { room: IncidentRoom }) {
  const now = useNow();
  return (
    <section aria-label="Promises">
      <ul className={classes.clocks}>
        {clocks.map((clock) => (
          <li key={clock.clock}>
            <Group justify="space-between" gap="xs" mb={4}>
              <Text fw={650}>{clockNames[clock.clock]}</Text>
              <ClockStateBadge state={clock.state} />
            </Group>
            {sentencesOf(clock, now).map((sentence) => (
              <Text key={sentence} fz="inherit">
                {sentence}
              </Text>
            ))}
          </li>
        ))}
      </ul>
      {breaches.length > 0 && (
        <ul className={classes.timeline} aria-label="Promises that were broken" style={{ marginBlockEnd: 20 }}>
          {breaches.map(({ clock, due_at, severity, undone_at }) => (
            <li key={`${clock} ${due_at}`}>
              {clockNames[clock]} was due on {showTime(due_at)} as{" "}
              {severity === "unknown" ? "of unknown severity" : severity}, and was late.
              {undone_at &&
                ` A fact that was told later shows that it was kept, noted on ${showTime(undone_at)}. Both stay.`}
            </li>
          ))}
        </ul>
      )}
      {levels.is_sample && (
        <Text className={classes.muted ?? ""} mb="md">
          These limits are a SAMPLE: the operator has not published its own.
        </Text>
      )}
    </section>
  );
}

function sentencesOf(clock: ClockShown, now: Date): string[] {
  const promised = clock.promised ? `Promised within ${clock.promised}.` : "Nothing is promised for this severity.";
  if (clock.state === "none") return [promised];
  if (clock.state === "coming") return [promised, "It starts when the incident is acknowledged."];
  if (clock.ended_at)
    return [promised, `Done on ${showTime(clock.ended_at)}, after ${showMinutes(clock.counted_minutes)} that count.`];
  if (clock.state === "paused")
    return [promised, "It is paused while the incident waits; the reason is in the timeline."];
  return [promised, ...(clock.due_at ? [`Due on ${showTime(clock.due_at)}, ${dueIn(clock.due_at, now)}.`] : [])];
}
