import { brand } from "../../contract/brand.ts";
import { ChildUsersPage } from "../people/child-users-page.tsx";
import { Guard } from "../portal/guard.tsx";

export const meta = () => [{ title: `My User – ${brand.name}` }];

/** The provider's own staff accounts. */
export default function AdminUsers() {
  return (
    <Guard to={{ needs: "admin/getChildrenByParentId" }}>
      <ChildUsersPage
        title="My User"
        hint="They see the administrator area, but do not manage users, partners or dashboards."
        list="admin/getChildrenByParentId"
        add="admin/createChildUserByAdmin"
      />
    </Guard>
  );
}
