import { Button, Group, Text } from "@mantine/core";
import { byEnd, confidences, type Confidence } from "../../contract/obligation-words.ts";
import type { RegulatorClock } from "../../contract/obligations.ts";
import { dueIn, isolated, showTime } from "../components/display.ts";
import { ClockState } from "./clock-words.tsx";
import classes from "./obligations.module.css";

const isFiled = ({ state }: RegulatorClock) => state === "filed" || state === "filed late";
const fileWords = (clock: RegulatorClock) => (isFiled(clock) ? "Record another filing" : "Mark as filed");

/** Clocks, the most urgent first, each with the facts that it counts from. */
export function ClockCards({
  clocks,
  asOf,
  onDraft,
  onFile,
}: {
  clocks: readonly RegulatorClock[];
  asOf: string;
  /** Null if the reader may not draft. */
  onDraft: ((clock: RegulatorClock) => void) | null;
  /** Null if the reader may not file. */
  onFile: ((clock: RegulatorClock) => void) | null;
}) {
  const inOrder = clocks.toSorted(byEnd);
  return (
    <ul className={classes.clocks}>
      {inOrder.map((clock) => (
        <li key={clock.key} className={classes.clock}>
          <Group justify="space-between" gap="xs" align="flex-start">
            <Text fw={650} component="h3" fz="md" m={0}>
              {clock.title}
            </Text>
            <ClockState state={clock.state} />
          </Group>
          {clock.dueAt && (
            <Text className={classes.due}>
              {isFiled(clock)
                ? `Was due ${showTime(clock.dueAt)}`
                : `Due ${showTime(clock.dueAt)}, ${dueIn(clock.dueAt, new Date(asOf))}`}
            </Text>
          )}
          <Text mt={4}>{clock.why}</Text>
          <Text className={classes.muted} mt={4}>
            {clock.span} to {clock.recipient}. {clock.instrument}, {clock.paragraph}.
          </Text>
          {clock.note && (
            <Text className={classes.muted} mt={4}>
              {clock.note}
            </Text>
          )}
          <Text className={classes.muted} mt={4}>
            {clock.verified
              ? `Verified by ${isolated(clock.verified.by)}, ${showTime(clock.verified.on)}.`
              : `Verified by nobody yet. ${confidences[clock.confidence as Confidence] ?? ""}.`}
          </Text>
          {(onDraft ?? onFile) && (
            <Group gap="xs" mt="sm" className="screen-only">
              {onDraft && (
                <Button
                  variant={clock.state === "running" || clock.state === "overdue" ? "filled" : "default"}
                  aria-label={`Draft: ${clock.title}`}
                  onClick={() => onDraft(clock)}
                >
                  Draft
                </Button>
              )}
              {onFile && (
                <Button
                  variant="default"
                  aria-label={`${fileWords(clock)}: ${clock.title}`}
                  onClick={() => onFile(clock)}
                >
                  {fileWords(clock)}
                </Button>
              )}
            </Group>
          )}
        </li>
      ))}
    </ul>
  );
}
