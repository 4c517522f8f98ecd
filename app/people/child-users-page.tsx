import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Child, ChildSort } from "../../contract/people.ts";
import { messages } from "../../contract/messages.ts";
import { AddPersonModal, type AddPersonName } from "./add-person-modal.ts";
import type { Column } from "../lists/column.ts";
import { InvitationActions } from "./invitation-actions.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { PersonStatusBadge, statusText } from "./person-status.tsx";
import { AddressText, PhoneNumber } from "../components/address-text.tsx";

const fullName = (child: Child) => `${child.first_name} ${child.last_name}`;
const columns: readonly Column<Child, ChildSort>[] = [
  { label: "Name", cell: (child) => <bdi>{fullName(child)}</bdi>, text: fullName, sort: "name" },
  {
    label: "Email",
    cell: (child) => <AddressText address={child.email} />,
    text: (child) => child.email,
    sort: "email",
  },
  {
    label: "Phone",
    cell: (child) => <PhoneNumber number={child.phone_no} />,
    text: (child) => child.phone_no,
    sort: "phone_no",
  },
  {
    label: "Status",
    cell: ({ status }) => <PersonStatusBadge status={status} />,
    text: ({ status }) => statusText(status),
  },
];

const texts = {
  title: "Add User",
  submit: "Add User",
  added: messages.userAdded,
  notAdded: messages.userNotAdded,
  failed: messages.addUserFailed,
};

/** The child accounts of the user's organisation, and a button to add one. */
export function ChildUsersPage({
  title,
  hint,
  list,
  add,
  beside,
}: {
  title: string;
  hint: string;
  list: "user/children" | "partner/children" | "admin/getChildrenByParentId";
  add: AddPersonName;
  /** Other actions beside the list. */
  beside?: ReactNode;
}) {
  const [adding, modal] = useDisclosure(false);
  return (
    <>
      <ListPage
        name={list}
        title={title}
        hint={hint}
        searchLabel="Search users"
        columns={columns}
        fileName="users"
        numbered
        empty={messages.noUsers}
        emptyHint="People you add get an invitation by e-mail and choose a password."
        failure={messages.usersFailed}
        actions={(child) => <InvitationActions person={child} reloads={list} />}
      >
        <Group gap="sm">
          {beside}
          <Button size="md" leftSection={<IconUserPlus size={18} aria-hidden />} onClick={modal.open}>
            Add User
          </Button>
        </Group>
      </ListPage>
      <AddPersonModal opened={adding} onClose={modal.close} operation={add} texts={texts} reloads={[list]} />
    </>
  );
}
