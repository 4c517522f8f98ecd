import { NumberInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ContractDetails, ContractLine } from "../../contract/contracts.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { asksLessBy, type LessAsker } from "./contract-readers.ts";

export interface AskLessProps {
  contract: ContractDetails;
  line: ContractLine | null;
  reader: LessAsker;
  onClose: () => void;
}

const words = {
  user: { title: "Ask for fewer devices", why: "For whoever decides.", ask: "Ask", who: "One of us decides." },
  admin: {
    title: "Take devices away",
    why: "The customer sees this.",
    ask: "Go on",
    who: "It then stands under Fewer devices, where you see what it comes to before you agree.",
  },
} as const;

/** Asks for fewer devices of a line. */
export default function AskLess({ contract, line, reader, onClose }: AskLessProps) {
  return (
    <Dialog opened={line !== null} onClose={onClose} title={words[reader].title}>
      {line && <AskForm key={line.id} contract={contract} line={line} reader={reader} onClose={onClose} />}
    </Dialog>
  );
}

function AskForm({ contract, line, reader, onClose }: AskLessProps & { line: ContractLine }) {
  const { why, ask: label, who } = words[reader];
  // One id, so that a repeated click is the same request.
  const [id] = useState(() => crypto.randomUUID());
  const [today] = useState(() => writtenDay(new Date()));
  const first = today > line.from ? today : line.from;
  const typed = { quantity: 1 as number | string, wished_on: first };
  const { form, leave } = useKeptForm(`less of ${line.id}`, typed, onClose);
  const { quantity, wished_on } = form.values;
  const number = Number(quantity);
  const isReady = Number.isInteger(number) && number >= 1 && number <= line.quantity && wished_on !== "";
  const ask = (reason: string) =>
    call(asksLessBy[reader], {
      id,
      contract_id: contract.id,
      series: line.series,
      quantity: number,
      wished_on,
      reason,
    });
  return (
    <AnswerForm
      label="Why"
      description={why}
      keptAs={`why less of ${line.id}`}
      choices={[{ label, act: ask, isReady }]}
      onClose={leave}
    >
      <Text style={{ overflowWrap: "anywhere" }}>
        {contract.number} holds {line.quantity} × {line.device_type}. {who} What is agreed to is credited for the days
        to the end of the contract, from what is left of its invoice, and what of it was paid goes back to the card or
        account that paid.
      </Text>
      <NumberInput
        label="How many fewer"
        min={1}
        max={line.quantity}
        allowDecimal={false}
        data-autofocus
        value={quantity}
        onChange={(next) => form.setFieldValue("quantity", next)}
      />
      <TextInput
        label="From which day on"
        type="date"
        min={first}
        max={contract.ends_on}
        {...form.getInputProps("wished_on")}
      />
    </AnswerForm>
  );
}
