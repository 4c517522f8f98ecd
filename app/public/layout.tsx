import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { ActionBar } from "./frame/action-bar.tsx";
import { FailedRoute } from "./frame/route-failure.tsx";
import { SiteFooter } from "./frame/site-footer.tsx";
import { SiteHeader } from "./frame/site-header.tsx";

/** Header, footer and action bar around every public page. */
export default function PublicLayout() {
  return <Framed page={<Outlet />} />;
}

/** A failed page keeps the frame, so that the visitor can go on from there. */
export function ErrorBoundary() {
  return <Framed page={<FailedRoute />} />;
}

function Framed({ page }: { page: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <SiteHeader />
      {page}
      <SiteFooter />
      <ActionBar />
    </>
  );
}
