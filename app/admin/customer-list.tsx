import { Button } from "@mantine/core";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { customerStateColumn } from "../customers/customer-state.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { DetailsPanel } from "./details-panel.ts";
import { useViewed } from "./use-viewed.ts";
import { organisationColumn, personColumns } from "./person-columns.tsx";

export const meta = () => [{ title: `Manage Customer – ${brand.name}` }];

const columns = [
  organisationColumn("Customer Name"),
  personColumns.name,
  personColumns.email,
  { ...personColumns.partner, below: true },
  { ...personColumns.phone, below: true },
  customerStateColumn,
];

/** All customers, with their partner. */
export default function CustomerList() {
  const [viewed, setViewed] = useViewed("customer");
  return (
    <>
      <ListPage
        name="admin/getUserByAdmin"
        input={{ role: "user" }}
        title="Manage Customer"
        hint="The main account of each customer, and the partner who looks after them."
        searchLabel="Search customers"
        columns={columns}
        fileName="customers"
        numbered
        empty={messages.noCustomers}
        emptyHint="Customers appear here when they register or a partner adds them."
        failure={messages.usersFailed}
        actionsLabel="View"
        actions={({ email, organization_name }) => (
          <Button
            variant="default"
            aria-label={`View ${organization_name}`}
            onClick={() => setViewed({ kind: "customer", email, name: organization_name })}
          >
            View
          </Button>
        )}
      />
      <DetailsPanel start={viewed} onClose={() => setViewed(null)} />
    </>
  );
}
