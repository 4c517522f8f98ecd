import { Button, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messages } from "../../contract/messages.ts";
import { openedLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { ListFailed } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { type BillingOf, billingQuery } from "./billing-of.ts";
import { RecipientFacts } from "./recipient-facts.tsx";

type OfCustomer = Exclude<BillingOf, { reader: "user" }>;

const BillingDialog = openedLater<{ of: BillingOf | null; onClose: () => void }>(() => import("./billing-dialog.tsx"), {
  of: null,
});

/** A customer's billing details, for its partner and administrators to read and edit. */
export function BillingSection({ of }: { of: OfCustomer }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayEdit = useMayCall()(`${of.reader}/billing/save`);
  const billing = useQuery(billingQuery(of));
  const edit = mayEdit ? { onEdit: () => setIsOpen(true) } : {};
  return (
    <PanelSection title="Billing details" hint="On the next invoices, and decides their tax.">
      {billing.isError && !billing.data && (
        <ListFailed message={messages.fetchFailed} onRetry={() => void billing.refetch()} />
      )}
      {billing.isPending && <Skeleton h={72} radius="md" />}
      {billing.data?.given && <RecipientFacts billing={billing.data} {...edit} />}
      {billing.data && !billing.data.given && (
        <>
          <Text c="var(--site-muted)">
            Nobody has entered them yet. The customer is asked before its first payment.
          </Text>
          {mayEdit && (
            <Button variant="default" size="md" mt="sm" onClick={() => setIsOpen(true)}>
              Fill in
            </Button>
          )}
        </>
      )}
      <BillingDialog of={isOpen ? of : null} onClose={() => setIsOpen(false)} />
    </PanelSection>
  );
}
