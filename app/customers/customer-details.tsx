import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messages } from "../../contract/messages.ts";
import type { CustomerTool } from "../../contract/tools.ts";
import { call } from "../api.ts";
import { PaymentsDueOf } from "../billing/payments-due.tsx";
import { BillingSection } from "../billing/billing-section.tsx";
import { CustomerTools, type ToolKind } from "./customer-tools.tsx";
import { CustomerRefused, noneOfYours, noSuchCustomer } from "../components/customer-refused.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { OrderHistoryOf } from "../orders/order-history-of.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import { PersonInfo } from "./person-info.tsx";
import { isNobody, useFirstPerson } from "./use-first-person.ts";

const operations = {
  admin: {
    person: "admin/getUserByEmailforAdmin",
    tool: "admin/getcustomertToolByEmailApi",
    orders: "admin/getPaymentDetailsByEmailforAdmin",
  },
  partner: {
    person: "partner/get-user-by-partner-email",
    tool: "partner/get-customer-tool",
    orders: "partner/get-payment-details",
  },
} as const;

/** Each reader's list of customers, and the sentence for an e-mail that names none of them. */
const refusals = {
  admin: { list: "/admin/customerList", children: noSuchCustomer },
  partner: { list: "/partner/listuser", children: noneOfYours },
} as const;

interface CustomerDetailsProps {
  email: string;
  reader: "admin" | "partner";
  onView: (pdf: ViewedPdf) => void;
  activation?: ReactNode;
  editor?: ((tool: CustomerTool, kind: ToolKind) => ReactNode) | undefined;
  /** Shown before the customer's orders. */
  children?: ReactNode;
}

/**
 * One customer, as its partner and administrators see it: people, SIEM and SOAR links, and orders. Parts for
 * administrators only come as `activation` and `editor`, parts for partners only as `children`.
 */
export function CustomerDetails(props: CustomerDetailsProps) {
  const { reader, email } = props;
  const person = useFirstPerson(operations[reader].person, email);
  if (person.isPending) return <ListLoading rows={5} />;
  if (isNobody(person, "user")) return <CustomerRefused {...refusals[reader]} />;
  return <Details {...props} />;
}

function Details({ email, reader, onView, activation, editor, children }: CustomerDetailsProps) {
  const names = operations[reader];
  const tool = useQuery({
    queryKey: [names.tool, { email }],
    queryFn: async ({ signal }) => (await call(names.tool, { email }, signal)).customerTool[0] ?? null,
  });
  return (
    <Stack gap="xl">
      <PanelSection title="User Info" hint="The customer and its first person.">
        <PersonInfo operation={names.person} email={email} />
      </PanelSection>
      <PanelSection title="SIEM and SOAR" hint="The customer opens these from its own dashboard.">
        {tool.isLoadingError ? (
          <ListFailed message={messages.fetchFailed} onRetry={() => void tool.refetch()} />
        ) : (
          <CustomerTools tool={tool.data} activation={activation} editor={editor} />
        )}
      </PanelSection>
      {children}
      <BillingSection of={{ reader, email }} />
      <PaymentsDueOf of={{ reader, email }} />
      <OrderHistoryOf operation={names.orders} email={email} onView={onView} />
    </Stack>
  );
}
