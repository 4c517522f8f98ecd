import { Anchor, Button, Group, Stack } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { messages } from "../../contract/messages.ts";
import type { ListedPerson } from "../../contract/people.ts";
import { ListSection } from "../lists/list-section.tsx";
import { ListLoading } from "../lists/list-state.tsx";
import { OrderHistoryOf } from "../orders/order-history-of.tsx";
import { CustomerRefused, noSuchPartner } from "../components/customer-refused.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import { customerStateColumn } from "../customers/customer-state.tsx";
import { PersonInfo } from "../customers/person-info.tsx";
import { isNobody, useFirstPerson } from "../customers/use-first-person.ts";
import { organisationColumn, personColumns } from "./person-columns.tsx";

const columns = [
  organisationColumn("Customer Name"),
  personColumns.name,
  personColumns.email,
  personColumns.phone,
  customerStateColumn,
];

/** One partner: its organisation, dashboard, customers and orders. */
export function PartnerDetails({
  email,
  people,
  onCustomer,
  onView,
}: {
  email: string;
  /** The sections about the organisation and its people. */
  people: ReactNode;
  onCustomer: (customer: ListedPerson) => void;
  onView: (pdf: ViewedPdf) => void;
}) {
  const person = useFirstPerson("admin/getUserByEmailforAdmin", email);
  if (person.isPending) return <ListLoading rows={5} />;
  if (isNobody(person, "partner"))
    return (
      <CustomerRefused list="/admin/partnerList" of="partner">
        {noSuchPartner}
      </CustomerRefused>
    );
  return (
    <Stack gap="xl">
      <PanelSection title="Partner Info">
        <PersonInfo operation="admin/getUserByEmailforAdmin" email={email} />
      </PanelSection>
      {people}
      <PanelSection title="Dashboard" hint="The six figures as the partner sees them.">
        <Anchor
          href={partnerDashboardPath(email)}
          target="_blank"
          rel="noopener"
          fw={600}
          mih={44}
          display="inline-flex"
          style={{ alignItems: "center" }}
        >
          <Group component="span" gap={8}>
            Dashboard Access
            <IconExternalLink size={18} aria-label="opens in a new tab" />
          </Group>
        </Anchor>
      </PanelSection>
      <CustomersOf email={email} onCustomer={onCustomer} />
      <OrderHistoryOf operation="admin/getPaymentDetailsByPartnerId" email={email} onView={onView} />
    </Stack>
  );
}

/** Encodes the address, as it may contain "/" and "?"; "@" may stand in a path as it is. */
const partnerDashboardPath = (email: string) => `/partner-dashboard/${encodeURIComponent(email).replace("%40", "@")}`;

function CustomersOf({ email, onCustomer }: { email: string; onCustomer: (customer: ListedPerson) => void }) {
  return (
    <ListSection
      name="admin/getUsersByPartnerEmail"
      input={{ email }}
      title="Customer List"
      columns={columns}
      empty={messages.noCustomersInPanel}
      numbered
      actionsLabel="View"
      actions={(customer) => (
        <Button
          variant="default"
          aria-label={`View ${customer.organization_name}`}
          onClick={() => onCustomer(customer)}
        >
          View
        </Button>
      )}
    />
  );
}
