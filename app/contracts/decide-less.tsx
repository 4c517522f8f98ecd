import { Alert, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ContractDetails, LessRequest } from "../../contract/contracts.ts";
import type { Answer } from "../../contract/operations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { showRupees } from "../components/display.ts";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { AnswerForm } from "./answer-form.tsx";

export interface DecideLessProps {
  contract: ContractDetails;
  request: LessRequest | null;
  onClose: () => void;
}

/** Agrees to fewer devices from a day on, or refuses. */
export default function DecideLess({ contract, request, onClose }: DecideLessProps) {
  return (
    <Dialog opened={request !== null} onClose={onClose} title="Decide about fewer devices">
      {request && <DecideForm key={request.id} contract={contract} request={request} onClose={onClose} />}
    </Dialog>
  );
}

function DecideForm({ contract, request, onClose }: DecideLessProps & { request: LessRequest }) {
  const [today] = useState(() => writtenDay(new Date()));
  const { id, wished_on } = request;
  const { form, leave } = useKeptForm(`less from ${id}`, { from: wished_on > today ? wished_on : today }, onClose);
  const { from } = form.values;
  const preview = useQuery({
    queryKey: ["admin/contracts/preview-less", { id, from }],
    queryFn: ({ signal }) => call("admin/contracts/preview-less", { id, effective_on: from }, signal),
    enabled: from !== "",
    retry: false,
  });
  const decide = (agreed: boolean) => (answer: string) =>
    call("admin/contracts/decide-less", { id, agreed, effective_on: agreed ? from : null, answer });
  return (
    <AnswerForm
      label="Answer"
      description="The customer sees this."
      keptAs={`answer ${id}`}
      choices={[
        { label: "Agree", act: decide(true), isReady: preview.isSuccess },
        { label: "Refuse", act: decide(false), isNo: true },
      ]}
      onClose={leave}
    >
      <WhatIsAsked contract={contract} request={request} />
      <TextInput
        label="First day with fewer devices"
        type="date"
        min={today}
        max={contract.ends_on}
        data-autofocus
        {...form.getInputProps("from")}
      />
      {preview.isError && <Alert color="red">{preview.error.message}</Alert>}
      {preview.data && (
        <Text role="status">
          {whatIsCredited(preview.data)} {whereItGoes(preview.data)}
        </Text>
      )}
    </AnswerForm>
  );
}

function WhatIsAsked({ contract, request }: { contract: ContractDetails; request: LessRequest }) {
  const who = <bdi>{contract.organization_name}</bdi>;
  const devices = `${request.quantity} × ${request.device_type}`;
  return (
    <Text style={{ overflowWrap: "anywhere" }}>
      {request.asked_by_us ? (
        <>
          {devices} are to be taken away from {who}: {request.reason}
        </>
      ) : (
        <>
          {who} asks for {devices} less: {request.reason}
        </>
      )}
    </Text>
  );
}

type Preview = Answer<"admin/contracts/preview-less">;

const whatIsCredited = ({ credit, days, days_of_year }: Preview): string =>
  Number(credit) === 0
    ? "Nothing is left to be credited of its invoice."
    : `Credit note over ${showRupees(credit)}, tax included, for ${days} of ${days_of_year} days.`;

/** What happens to the money of a credit note. */
function whereItGoes({ credit, lowers, refundable, by_hand }: Preview): string {
  const back = Number(credit) - Number(lowers);
  const lowered = Number(lowers) > 0 ? `${showRupees(lowers)} of it lower what is still to be paid. ` : "";
  if (back <= 0) return lowered.trim();
  if (Number(refundable) < back) return `${lowered}So much has not come, or has gone back: see to the money by hand.`;
  return by_hand
    ? `${lowered}${showRupees(refundable)} came by transfer: you transfer them back, and note it in the order’s History.`
    : `${lowered}The gateway gives it back to the card or account that paid.`;
}
