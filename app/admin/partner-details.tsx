import { Anchor, Button, Group, Stack } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { messages } from "../../contract/messages.ts";
import type { ListedPerson } from "../../contract/people.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { OrderHistoryOf } from "../orders/order-history-of.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import { PersonInfo } from "../customers/person-info.tsx";
import { useList } from "../lists/use-list.ts";
import { organisationColumn, personColumns } from "./person-columns.tsx";

const columns = [organisationColumn("Customer Name"), personColumns.name, personColumns.email, personColumns.phone];

/** One partner: who it is, its dashboard, its customers and what they ordered. */
export function PartnerDetails({
  email,
  onCustomer,
  onView,
}: {
  email: string;
  onCustomer: (customer: ListedPerson) => void;
  onView: (pdf: ViewedPdf) => void;
}) {
  return (
    <Stack gap="xl">
      <PanelSection title="Partner Info">
        <PersonInfo operation="admin/getUserByEmailforAdmin" email={email} />
      </PanelSection>
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

/** An e-mail address may hold "/" and "?"; its "@" is fit for a path as it is. */
const partnerDashboardPath = (email: string) => `/partner-dashboard/${encodeURIComponent(email).replace("%40", "@")}`;

function CustomersOf({ email, onCustomer }: { email: string; onCustomer: (customer: ListedPerson) => void }) {
  const list = useList("admin/getUsersByPartnerEmail", { input: { email } });
  return (
    <PanelSection title="Customer List" bare>
      {list.isPending && <ListLoading rows={2} />}
      {list.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.rows.length === 0 && <ListEmpty message={messages.noCustomersInPanel} />}
      {list.rows.length > 0 && (
        <DataTable
          caption="Customer List"
          columns={columns}
          rows={list.rows}
          more={list.more}
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
      )}
    </PanelSection>
  );
}
