import { Card, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { BillingFormProps } from "../billing/billing-form.tsx";
import { billingKeptAs, billingQuery } from "../billing/billing-of.ts";
import { RecipientFacts } from "../billing/recipient-facts.tsx";
import { shownLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { useKeepUnsaved } from "../components/use-keep-unsaved.ts";
import { keepTyped } from "../forms/kept-typed.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { useState } from "react";

export const meta = () => [{ title: `Billing Details – ${brand.name}` }];

const BillingForm = shownLater<BillingFormProps>(
  () => import("../billing/billing-form.tsx"),
  () => <ListLoading rows={5} />,
);

const ofOwn = { reader: "user" } as const;

/** The organisation's billing details: its main account edits them, its child accounts read them. */
export default function BillingDetails() {
  const mayEdit = useMayCall()("user/billing/save");
  const [dirty, setDirty] = useState(false);
  useKeepUnsaved(dirty, "into the billing details", () => keepTyped(billingKeptAs(ofOwn), null));
  return (
    <>
      <PageTitle
        title="Billing Details"
        hint="What your next invoices say about you, and what decides their tax. Issued invoices stay as they are."
      />
      <Card withBorder radius="lg" p={{ base: "md", sm: "xl" }} maw={820} bg="var(--site-surface)">
        {mayEdit ? <BillingForm of={ofOwn} onDirty={setDirty} /> : <Shown />}
      </Card>
    </>
  );
}

function Shown() {
  const billing = useQuery(billingQuery(ofOwn));
  if (billing.isLoadingError)
    return <ListFailed message={messages.fetchFailed} onRetry={() => void billing.refetch()} />;
  if (!billing.data) return <ListLoading rows={3} />;
  if (!billing.data.given)
    return (
      <Text c="var(--site-muted)">
        Nobody has entered them yet. The person who answers for your organization fills them in.
      </Text>
    );
  return (
    <Stack gap="md">
      <RecipientFacts billing={billing.data} />
      <Text c="var(--site-muted)">The person who answers for your organization can change them.</Text>
    </Stack>
  );
}
