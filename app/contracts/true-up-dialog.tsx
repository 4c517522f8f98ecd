import { Text } from "@mantine/core";
import type { TrueUp } from "../../contract/contracts.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { AnswerForm } from "./answer-form.tsx";

export interface TrueUpDialogProps {
  trueUp: TrueUp | null;
  onClose: () => void;
}

/** Disputes an announced true-up, or decides a disputed one. */
export default function TrueUpDialog({ trueUp, onClose }: TrueUpDialogProps) {
  const title = trueUp?.state === "disputed" ? "Decide the true-up" : "Dispute the true-up";
  return (
    <Dialog opened={trueUp !== null} onClose={onClose} title={title}>
      {trueUp && <Form key={trueUp.id} trueUp={trueUp} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ trueUp, onClose }: TrueUpDialogProps & { trueUp: TrueUp }) {
  const { id, extra, device_type, dispute } = trueUp;
  const decide = (billed: boolean) => (answer: string) =>
    call("admin/contracts/decide-true-up", { id, billed, answer });
  if (trueUp.state === "disputed")
    return (
      <AnswerForm
        label="Answer"
        description="The customer sees this."
        keptAs={`decide ${id}`}
        choices={[
          { label: "Bill it", act: decide(true) },
          { label: "Do not bill it", act: decide(false), isNo: true },
        ]}
        onClose={onClose}
      >
        <Text style={{ overflowWrap: "anywhere" }}>
          {extra} × {device_type}. Disputed: {dispute}
        </Text>
      </AnswerForm>
    );
  return (
    <AnswerForm
      label="What is wrong with it"
      keptAs={`dispute ${id}`}
      choices={[{ label: "Dispute", act: (comment) => call("user/contracts/dispute", { id, comment }) }]}
      onClose={onClose}
    >
      <Text>
        {extra} × {device_type}. It is not billed before one of us has decided.
      </Text>
    </AnswerForm>
  );
}
