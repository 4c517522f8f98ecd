import { Outlet } from "react-router";
import { AppProviders } from "../components/app-providers.tsx";

/** The layout of public pages for interaction rather than reading: they hydrate at once. */
export default function InteractivePages() {
  return (
    <AppProviders>
      <Outlet />
    </AppProviders>
  );
}
