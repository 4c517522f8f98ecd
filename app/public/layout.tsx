import { Outlet } from "react-router";
import { ActionBar } from "./frame/action-bar.tsx";
import { SiteFooter } from "./frame/site-footer.tsx";
import { SiteHeader } from "./frame/site-header.tsx";

/** Header, footer and action bar around every public page. */
export default function PublicLayout() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <SiteHeader />
      <Outlet />
      <SiteFooter />
      <ActionBar />
    </>
  );
}
