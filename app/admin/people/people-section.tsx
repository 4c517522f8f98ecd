import { Button } from "@mantine/core";
import { useState } from "react";
import { messages } from "../../../contract/messages.ts";
import { areaOf, isChild } from "../../../contract/roles.ts";
import type { Member } from "../../../contract/staff-people.ts";
import { AddressText, PhoneNumber } from "../../components/address-text.tsx";
import { openedLater } from "../../components/later.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import type { Column } from "../../lists/column.ts";
import { ListBody } from "../../lists/list-body.tsx";
import { useList } from "../../lists/use-list.ts";
import { InvitationActions } from "../../people/invitation-actions.tsx";
import { fullName } from "../../people/person-name.tsx";
import { PersonStatusBadge } from "../../people/person-status.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";

const PersonDialog = openedLater<{ member: Member | null; onClose: () => void }>(() => import("./person-dialog.tsx"), {
  member: null,
});

const roleOf = ({ role }: Member) => {
  if (areaOf(role) === "admin") return isChild(role) ? "Child administrator" : "Administrator";
  return isChild(role) ? "Child account" : "Main account";
};

const columns: readonly Column<Member, never>[] = [
  { label: "Name", cell: (member) => <bdi>{fullName(member)}</bdi> },
  { label: "Role", cell: roleOf, below: true },
  { label: "Email", cell: ({ email }) => <AddressText address={email} /> },
  { label: "Phone", cell: ({ phone_no }) => <PhoneNumber number={phone_no} />, below: true },
  { label: "Status", cell: ({ status }) => <PersonStatusBadge status={status} /> },
];

/** Everybody in the organisation of the person with this e-mail. */
export function PeopleSection({ email }: { email: string }) {
  const [openedId, setOpenedId] = useState<string | null>(null);
  const mayResend = useMayCall()("people/resend-invitation");
  const list = useList("admin/people", { input: { email } });
  return (
    <PanelSection title="People" bare>
      <ListBody
        caption="People"
        list={list}
        loadingRows={2}
        columns={columns}
        empty={messages.noUsers}
        actionsLabel="Open"
        actions={(member) => (
          <>
            <Button variant="default" aria-label={`Open ${fullName(member)}`} onClick={() => setOpenedId(member.id)}>
              Open
            </Button>
            {mayResend && <InvitationActions person={member} reloads="admin/people" />}
          </>
        )}
      />
      <PersonDialog member={list.rows.find(({ id }) => id === openedId) ?? null} onClose={() => setOpenedId(null)} />
    </PanelSection>
  );
}
