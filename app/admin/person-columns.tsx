import type { ListedPerson, PersonSort } from "../../contract/people.ts";
import type { Column } from "../lists/column.ts";
import { AddressText, PhoneNumber } from "../components/address-text.tsx";
import { fullName, PersonName } from "../people/person-name.tsx";

const partnerName = (person: ListedPerson) => person.partner_organization_name ?? "Default";

/** The organisation's column, under the given label. */
export const organisationColumn = (label: string): Column<ListedPerson, PersonSort> => ({
  label,
  cell: (person) => <bdi>{person.organization_name}</bdi>,
  text: (person) => person.organization_name,
  sort: "organization_name",
});

/** The other columns of the lists of customers and partners. */
export const personColumns = {
  name: { label: "Name", cell: (person) => <PersonName person={person} />, text: fullName, sort: "name" },
  email: {
    label: "Email",
    cell: (person) => <AddressText address={person.email} />,
    text: (person) => person.email,
    sort: "email",
    below: true,
  },
  partner: {
    label: "Partner Name",
    cell: (person) => <bdi>{partnerName(person)}</bdi>,
    text: partnerName,
    sort: "partner_organization_name",
  },
  phone: {
    label: "Phone Number",
    cell: (person) => <PhoneNumber number={person.phone_no} />,
    text: (person) => person.phone_no,
    sort: "phone_no",
    below: true,
  },
} satisfies Record<string, Column<ListedPerson, PersonSort>>;
