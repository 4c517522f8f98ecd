import type { ReactNode } from "react";
import { AppProviders } from "../../components/app-providers.tsx";
import { UserMenu } from "../../portal/user-menu.tsx";

/** The user menu for pages that have no providers of their own. */
export default function SignedInMenu({ waiting }: { waiting: ReactNode }) {
  return (
    <AppProviders>
      <UserMenu fallback={waiting} />
    </AppProviders>
  );
}
