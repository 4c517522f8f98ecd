import { brand } from "../../contract/brand.ts";
import { ChildUsersPage } from "../people/child-users-page.tsx";
import { Guard } from "../portal/guard.tsx";

export const meta = () => [{ title: `My Users – ${brand.name}` }];

/** The customer's colleagues; only the organisation's main account adds them. */
export default function MyUsers() {
  return (
    <Guard to={{ needs: "user/children" }}>
      <ChildUsersPage
        title="My Users"
        hint="They see your organization's dashboards, quotes and orders, and can pay for a quote."
        list="user/children"
        add="user/create-child-user"
      />
    </Guard>
  );
}
