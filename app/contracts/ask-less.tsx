import { NumberInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ContractDetails, ContractLine } from "../../contract/contracts.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { AnswerForm } from "./answer-form.tsx";

export interface AskLessProps {
  contract: ContractDetails;
  line: ContractLine | null;
  onClose: () => void;
}

/** Asks for fewer devices of a line. */
export default function AskLess({ contract, line, onClose }: AskLessProps) {
  return (
    <Dialog opened={line !== null} onClose={onClose} title="Ask for fewer devices">
      {line && <AskForm key={line.id} contract={contract} line={line} onClose={onClose} />}
    </Dialog>
  );
}

function AskForm({ contract, line, onClose }: AskLessProps & { line: ContractLine }) {
  // A repeated click is the same request.
  const [id] = useState(() => crypto.randomUUID());
  const [quantity, setQuantity] = useState<number | string>(1);
  const [today] = useState(() => writtenDay(new Date()));
  const first = today > line.from ? today : line.from;
  const [wished_on, setWishedOn] = useState(first);
  const number = Number(quantity);
  const isReady = Number.isInteger(number) && number >= 1 && number <= line.quantity && wished_on !== "";
  const ask = (reason: string) =>
    call("user/contracts/ask-less", {
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
      description="For whoever decides."
      choices={[{ label: "Ask", act: ask, isReady }]}
      onClose={onClose}
    >
      <Text style={{ overflowWrap: "anywhere" }}>
        {contract.number} holds {line.quantity} × {line.device_type}. One of us decides. What is agreed to is credited
        for the days to the end of the contract, from what was invoiced for it, and the money goes back to the card or
        account that paid.
      </Text>
      <NumberInput
        label="How many fewer"
        min={1}
        max={line.quantity}
        allowDecimal={false}
        data-autofocus
        value={quantity}
        onChange={setQuantity}
      />
      <TextInput
        label="From which day on"
        type="date"
        min={first}
        max={contract.ends_on}
        value={wished_on}
        onChange={(event) => setWishedOn(event.currentTarget.value)}
      />
    </AnswerForm>
  );
}
