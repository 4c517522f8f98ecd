import { Outlet } from "react-router";
import { AppProviders } from "../components/app-providers.tsx";

/** Around public pages that are worked with rather than read: they hydrate at once. */
export default function InteractivePages() {
  return (
    <AppProviders>
      <Outlet />
    </AppProviders>
  );
}
