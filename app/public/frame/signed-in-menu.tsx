import type { ReactNode } from "react";
import { AppProviders } from "../../components/app-providers.tsx";
import { UserMenu } from "../../portal/user-menu.tsx";

/** The user menu with its own providers, for pages that have none. */
export default function SignedInMenu({ waiting }: { waiting: ReactNode }) {
  return (
    <AppProviders>
      <UserMenu fallback={waiting} />
    </AppProviders>
  );
}
