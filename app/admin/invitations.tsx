import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { OpenInvitation } from "../../contract/staff-people.ts";
import { AddressText } from "../components/address-text.tsx";
import { DayAndTime } from "../components/unbroken.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { InvitationActions } from "../people/invitation-actions.tsx";
import { fullName } from "../people/person-name.tsx";
import { PersonStatusBadge, statusText } from "../people/person-status.tsx";
import { useMayCall } from "../portal/use-may-call.ts";

export const meta = () => [{ title: `Invitations – ${brand.name}` }];

const columns: readonly Column<OpenInvitation, "created_at">[] = [
  { label: "Name", cell: (person) => <bdi>{fullName(person)}</bdi>, text: fullName },
  { label: "Email", cell: ({ email }) => <AddressText address={email} />, text: ({ email }) => email, below: true },
  {
    label: "Organization",
    cell: ({ organization_name }) => <bdi>{organization_name}</bdi>,
    text: ({ organization_name }) => organization_name,
  },
  {
    label: "Invited by",
    cell: ({ invited_by }) => <bdi>{invited_by ?? "–"}</bdi>,
    text: ({ invited_by }) => invited_by ?? "",
    below: true,
  },
  {
    label: "Invited",
    cell: ({ created_at }) => <DayAndTime instant={created_at} />,
    text: ({ created_at }) => created_at,
    sort: "created_at",
  },
  {
    label: "Status",
    cell: ({ status }) => <PersonStatusBadge status={status} />,
    text: ({ status }) => statusText(status),
  },
];

/** All invitations that were not accepted yet. */
export default function Invitations() {
  const mayResend = useMayCall()("people/resend-invitation");
  return (
    <ListPage
      name="admin/people/invitations"
      title="Invitations"
      hint="Everybody who was invited by us, by a partner or by a customer, and has not accepted yet."
      searchLabel="Search invitations"
      columns={columns}
      fileName="invitations"
      empty="No open invitations"
      emptyHint="People who accept leave this list."
      failure={messages.usersFailed}
      {...(mayResend && {
        actions: (person: OpenInvitation) => <InvitationActions person={person} reloads="admin/people/invitations" />,
      })}
    />
  );
}
