import { brand } from "../../contract/brand.ts";
import { ChildUsersPage } from "../people/child-users-page.tsx";
import { Guard } from "../portal/guard.tsx";

export const meta = () => [{ title: `My User – ${brand.name}` }];

/** The partner's colleagues; only the partner's main account adds them. */
export default function PartnerUsers() {
  return (
    <Guard to={{ needs: "partner/children" }}>
      <ChildUsersPage
        title="Partner Users"
        hint="They see your dashboard and customers, and can add customers."
        list="partner/children"
        add="partner/create-child-user"
      />
    </Guard>
  );
}
