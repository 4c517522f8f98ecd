import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { ListedPerson, PersonSort } from "../../contract/people.ts";
import { AddPersonModal } from "../people/add-person-modal.ts";
import { customerStateColumn } from "../customers/customer-state.tsx";
import type { Column } from "../lists/column.ts";
import { InvitationActions } from "../people/invitation-actions.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useOpenedByAddress } from "../lists/use-opened-by-address.ts";
import { fullName, PersonName } from "../people/person-name.tsx";
import { AddressText, PhoneNumber } from "../components/address-text.tsx";
import { openedLater } from "../components/later.tsx";
import { estimatePath, mayGetEstimate } from "./estimate-path.ts";

export const meta = () => [{ title: `Customer List – ${brand.name}` }];

const CustomerPanel = openedLater<{ email: string | null; onClose: () => void }>(() => import("./customer-panel.tsx"), {
  email: null,
});

const columns: readonly Column<ListedPerson, PersonSort>[] = [
  {
    label: "Customer Name",
    cell: (person) => <bdi>{person.organization_name}</bdi>,
    text: (person) => person.organization_name,
    sort: "organization_name",
  },
  { label: "Name", cell: (person) => <PersonName person={person} />, text: fullName, sort: "name", below: true },
  {
    label: "Email",
    cell: (person) => <AddressText address={person.email} />,
    text: (person) => person.email,
    sort: "email",
    below: true,
  },
  {
    label: "Phone",
    cell: (person) => <PhoneNumber number={person.phone_no} />,
    text: (person) => person.phone_no,
    sort: "phone_no",
    below: true,
  },
  customerStateColumn,
];

const texts = {
  title: "Add New Customer",
  submit: "Add Customer",
  added: messages.userOnboarded,
  notAdded: messages.userNotOnboarded,
  failed: messages.onboardFailed,
};

/** The partner's customers; View opens one beside the list. */
export default function CustomerList() {
  const [adding, modal] = useDisclosure(false);
  const { opened, open, close } = useOpenedByAddress();
  return (
    <>
      <ListPage
        name="partner/users"
        title="Customer List"
        hint="The organizations you look after."
        searchLabel="Search customers"
        columns={columns}
        fileName="customers"
        empty={messages.noCustomers}
        emptyHint="Add a customer, who gets an invitation by e-mail."
        failure={messages.usersFailed}
        actions={(person) => (
          <>
            <Button
              variant="default"
              aria-label={`View ${person.organization_name}`}
              onClick={() => open(person.email)}
            >
              View
            </Button>
            {mayGetEstimate(person) && (
              <Button
                component={Link}
                to={estimatePath(person.email)}
                variant="default"
                aria-label={`Make an estimate for ${person.organization_name}`}
              >
                Estimate
              </Button>
            )}
            <InvitationActions person={person} reloads="partner/users" />
          </>
        )}
      >
        <Button size="md" leftSection={<IconUserPlus size={18} aria-hidden />} onClick={modal.open}>
          Add New Customer
        </Button>
      </ListPage>
      <CustomerPanel email={opened} onClose={close} />
      <AddPersonModal
        opened={adding}
        onClose={modal.close}
        operation="partner/create-user"
        texts={texts}
        withOrganization
        reloads={["partner/users"]}
      />
    </>
  );
}
