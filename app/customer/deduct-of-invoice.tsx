import { Skeleton, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { messages } from "../../contract/messages.ts";
import type { OpenDocument } from "../../contract/receivables.ts";
import type { Deducts } from "../../contract/transfers.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { ListFailed } from "../lists/list-state.tsx";
import { noSection } from "./order-fields.tsx";
import { deductionTyped, SectionAndRate, WhatIsLeft } from "./section-and-rate.tsx";
import { waysToPayQuery } from "./ways-to-pay.ts";

export interface DeductOfInvoiceProps {
  document: OpenDocument | null;
  onClose: () => void;
}

/** Announces which tax will be deducted from an invoice that is not paid yet. */
export default function DeductOfInvoice({ document, onClose }: DeductOfInvoiceProps) {
  return (
    <Dialog opened={document !== null} onClose={onClose} title="Tax that you deduct">
      {document && <Loaded key={document.number} document={document} onClose={onClose} />}
    </Dialog>
  );
}

type Shown = { document: OpenDocument; onClose: () => void };

function Loaded(shown: Shown) {
  const ways = useQuery(waysToPayQuery);
  if (ways.data) return <Form {...shown} deductions={ways.data.deductions} />;
  if (ways.isError) return <ListFailed message={messages.fetchFailed} onRetry={() => void ways.refetch()} />;
  return <Skeleton h={180} radius="md" />;
}

function Form({ document, onClose, deductions }: Shown & { deductions: readonly Deducts[] }) {
  const form = useForm({ initialValues: noSection });
  return (
    <DialogForm
      form={form}
      send={(values) =>
        call("user/transfers/deduct", { ...deductionTyped(values, deductions), order_id: document.order_id })
      }
      refresh={["user/payments-due"]}
      submit="We deduct this"
      onClose={onClose}
    >
      <Text>
        Say it once, for all of {document.number}: you transfer the rest, and upload Form 16A for what you deduct. It
        can’t be changed afterwards; please check it with your accountant first.
      </Text>
      <SectionAndRate form={form} deductions={deductions} />
      <WhatIsLeft
        of={document.deductible_of ?? "0.00"}
        open={document.open}
        percent={deductionTyped(form.values, deductions).percent}
      />
    </DialogForm>
  );
}
