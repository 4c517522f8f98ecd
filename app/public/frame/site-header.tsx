import type { ReactNode } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { brand } from "../../../contract/brand.ts";
import { shownLater } from "../../components/later.tsx";
import { Logo } from "../../components/logo.tsx";
import { dashboardOf, useSession } from "../../session.ts";
import classes from "./site-header.module.css";
import { siteLinks } from "./site-links.ts";

// Only signed-in users need it, and it brings Mantine with it.
const SignedInMenu = shownLater<{ waiting: ReactNode }>(
  () => import("./signed-in-menu.tsx"),
  ({ waiting }) => waiting,
  () => <ToDashboard />,
);

/** The header of every public page. It works without script: the phone's menu is a popover of the platform. */
export function SiteHeader() {
  const { pathname } = useLocation();
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Link to="/" aria-label={`${brand.name}, home page`} className={classes.home}>
          <Logo />
        </Link>
        <nav aria-label="Main" className={classes.wide}>
          <SiteLinks />
        </nav>
        <div className={classes.side}>
          <SignInOrMenu />
          <button type="button" className={classes.burger} popoverTarget="site-menu" aria-label="Menu">
            <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" focusable="false">
              <path d="M3 6h16M3 11h16M3 16h16" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
            </svg>
          </button>
        </div>
      </div>
      <nav key={pathname} id="site-menu" popover="auto" aria-label="Menu" className={classes.menu}>
        <SiteLinks />
      </nav>
    </header>
  );
}

function SiteLinks() {
  return siteLinks.map(({ to, label }) => (
    // A prerendered page's address has a trailing slash, which "end" would not match.
    <NavLink key={to} to={to} end={to === "/"} className={classes.link ?? ""}>
      {label}
    </NavLink>
  ));
}

/** Reserves the menu's space while it loads, so that nothing jumps. */
function SignInOrMenu() {
  const { isAuthenticated } = useSession();
  if (isAuthenticated) return <SignedInMenu waiting={<span className={classes.waiting} aria-hidden="true" />} />;
  return (
    <NavLink to="/login" className={classes.login ?? ""}>
      Login
    </NavLink>
  );
}

/** Replaces the menu if its script can't be loaded. */
function ToDashboard() {
  const { role } = useSession();
  return (
    <Link to={role ? dashboardOf(role) : "/login"} className={classes.login}>
      Dashboard
    </Link>
  );
}
