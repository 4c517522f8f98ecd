import { Button } from "@mantine/core";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { ChildUsersPage } from "../people/child-users-page.tsx";
import { Guard } from "../portal/guard.tsx";
import { getSession } from "../session.ts";
import { DetailsPanel, type Subject } from "./details-panel.ts";

export const meta = () => [{ title: `My User – ${brand.name}` }];

/** The provider's own staff accounts. */
export default function AdminUsers() {
  const [viewed, setViewed] = useState<Subject | null>(null);
  const open = () => {
    const email = getSession().email;
    if (email) setViewed({ kind: "staff", email, name: brand.name });
  };
  return (
    <Guard to={{ needs: "admin/getChildrenByParentId" }}>
      <ChildUsersPage
        title="My User"
        hint="They see the administrator area, but do not manage users, partners or dashboards."
        list="admin/getChildrenByParentId"
        add="admin/createChildUserByAdmin"
        beside={
          <Button variant="default" size="md" onClick={open}>
            Administrators and users
          </Button>
        }
      />
      <DetailsPanel start={viewed} onClose={() => setViewed(null)} />
    </Guard>
  );
}
