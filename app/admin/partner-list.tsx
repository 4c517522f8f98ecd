import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { InvitationActions } from "../people/invitation-actions.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { AddPartner } from "./add-partner.tsx";
import { DetailsPanel } from "./details-panel.ts";
import { useViewed } from "./use-viewed.ts";
import { organisationColumn, personColumns } from "./person-columns.tsx";

export const meta = () => [{ title: `Manage Partners – ${brand.name}` }];

const columns = [organisationColumn("Partner Name"), personColumns.name, personColumns.email, personColumns.phone];

/** All partners; an administrator can add one. */
export default function PartnerList() {
  const [viewed, setViewed] = useViewed("partner");
  const [adding, setAdding] = useState(false);
  const mayCall = useMayCall();
  return (
    <>
      <ListPage
        name="admin/getUserByAdmin"
        input={{ role: "partner" }}
        title="Manage Partners"
        hint="Partners bring in and look after their own customers."
        searchLabel="Search partners"
        columns={columns}
        fileName="partners"
        numbered
        empty={messages.noPartners}
        emptyHint="A partner you add gets an e-mail with a link to choose a password."
        actionsLabel="View"
        actions={(partner) => (
          <>
            <Button
              variant="default"
              aria-label={`View ${partner.organization_name}`}
              onClick={() => setViewed({ kind: "partner", email: partner.email, name: partner.organization_name })}
            >
              View
            </Button>
            {mayCall("people/resend-invitation") && (
              <InvitationActions person={partner} reloads="admin/getUserByAdmin" />
            )}
          </>
        )}
      >
        {mayCall("admin/createPartnerByAdmin") && (
          <Button size="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
            Add Partner
          </Button>
        )}
      </ListPage>
      <AddPartner opened={adding} onClose={() => setAdding(false)} />
      <DetailsPanel start={viewed} onClose={() => setViewed(null)} />
    </>
  );
}
