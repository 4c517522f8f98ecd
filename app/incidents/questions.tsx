import { Box, Text } from "@mantine/core";
import type { IncidentRoom } from "../../contract/incidents.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import type { Reader } from "./incident-words.tsx";
import classes from "./incidents.module.css";
import { WriteForm } from "./write-form.tsx";

/** What we asked the customer, and what they answered. */
export function Questions({ room: { id, questions, state }, reader }: { room: IncidentRoom; reader: Reader }) {
  if (questions.length === 0) return null;
  const mayAnswer = reader === "user" && state !== "merged";
  return (
    <PanelSection level={2} title={reader === "user" ? "Asked of you" : "Asked of the customer"}>
      <ul className={classes.timeline}>
        {questions.map((question, place) => (
          <li key={question.id}>
            <Text fz="inherit" fw={600} className={classes.words ?? ""}>
              {question.text}
            </Text>
            <div className={classes.muted}>
              Asked on {showTime(question.asked_at)}
              {question.pauses && ". Clocks stand still until the answer."}
            </div>
            {question.answer !== null ? (
              <>
                <Text fz="inherit" mt={4} className={classes.words ?? ""}>
                  {question.answer}
                </Text>
                <div className={classes.muted}>Answered on {showTime(question.answered_at ?? "")}</div>
              </>
            ) : mayAnswer ? (
              <Box mt="sm">
                <WriteForm
                  label={questions.length === 1 ? "Your answer" : `Your answer to question ${place + 1}`}
                  submit="Answer"
                  send={(text, fact_id) => call("user/incidents/answer", { id, fact_id, ask: question.id, text })}
                />
              </Box>
            ) : (
              <StateBadge tone="warning">No answer yet</StateBadge>
            )}
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}
