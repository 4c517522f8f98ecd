import { Box, Button, Text } from "@mantine/core";
import { useState } from "react";
import type { IncidentRoom } from "../../contract/incidents.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import type { Reader } from "./incident-words.tsx";
import classes from "./incidents.module.css";
import { type OnDirty, WriteForm } from "./write-form.tsx";

/** Our questions to the customer, and the answers. */
export function Questions({
  room: { id, questions, state },
  reader,
  onDirty,
}: {
  room: IncidentRoom;
  reader: Reader;
  onDirty: OnDirty;
}) {
  if (questions.length === 0) return null;
  return (
    <PanelSection level={2} title={reader === "user" ? "Asked of you" : "Asked of the customer"}>
      <ul className={classes.timeline}>
        {questions.map((question, place) => (
          <Question
            key={question.root}
            incidentId={id}
            question={question}
            mayAnswer={reader === "user" && state !== "merged"}
            onDirty={onDirty}
            label={questions.length === 1 ? "Your answer" : `Your answer to question ${place + 1}`}
          />
        ))}
      </ul>
    </PanelSection>
  );
}

function Question({
  incidentId,
  question: { id, root, text, asked_at, pauses, answer, answered_at },
  mayAnswer,
  onDirty,
  label,
}: {
  incidentId: string;
  question: IncidentRoom["questions"][number];
  mayAnswer: boolean;
  onDirty: OnDirty;
  label: string;
}) {
  // What is typed stays, even when a colleague answers or the question is corrected.
  const keptAs = `answer ${root}`;
  const [isTyping, setIsTyping] = useState(() => keptTyped(keptAs) !== null);
  const leave = () => {
    keepTyped(keptAs, null);
    setIsTyping(false);
  };
  const isAnswered = answer !== null;
  return (
    <li>
      <Text fz="inherit" fw={600} className={classes.words ?? ""}>
        {text}
      </Text>
      <div className={classes.muted}>
        Asked on {showTime(asked_at)}
        {pauses && ". Clocks stand still until the answer."}
      </div>
      <div role="status">
        {isAnswered && (
          <>
            <Text fz="inherit" mt={4} className={classes.words ?? ""}>
              {answer}
            </Text>
            <div className={classes.muted}>Answered on {showTime(answered_at ?? "")}</div>
          </>
        )}
      </div>
      {mayAnswer && (!isAnswered || isTyping) && (
        <Box mt="sm">
          <WriteForm
            label={label}
            keptAs={keptAs}
            submit={isAnswered ? "Send as a comment" : "Answer"}
            send={(typed, fact_id) => {
              const told = { id: incidentId, fact_id, text: typed };
              // A question takes one answer; further text becomes a comment.
              return isAnswered
                ? call("user/incidents/comment", told)
                : call("user/incidents/answer", { ...told, ask: id });
            }}
            onSent={() => setIsTyping(false)}
            onTyping={() => setIsTyping(true)}
            onDirty={onDirty}
            aside={
              isAnswered && (
                <Button variant="default" size="md" onClick={leave}>
                  Leave mine
                </Button>
              )
            }
          />
        </Box>
      )}
      {!mayAnswer && !isAnswered && <StateBadge tone="warning">No answer yet</StateBadge>}
    </li>
  );
}
