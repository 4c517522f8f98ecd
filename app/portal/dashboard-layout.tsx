import { ActionIcon, AppShell, Burger, Group, NavLink, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconLogout, type Icon } from "@tabler/icons-react";
import { Link, Outlet, useLocation, useNavigate } from "react-router";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { Area } from "../../contract/roles.ts";
import { useSession } from "../session.ts";
import { signOut } from "../sign-out.ts";
import { AppProviders } from "../components/app-providers.tsx";
import { type Audience, Guard, isFor } from "./guard.tsx";
import { Logo } from "../components/logo.tsx";
import { useMayCall } from "./use-may-call.ts";
import { UserMenu } from "./user-menu.tsx";
import classes from "./dashboard-layout.module.css";
import "../styles-portal.css";

/** A screen in the side navigation, for those of the area who may call what it needs. */
export interface SidebarEntry extends Audience {
  to: string;
  /** Its name, which may follow from what one may do there. */
  label: string | ((mayCall: (name: OperationName) => boolean) => string);
  icon: Icon;
}

const headerHeight = 64;

/** The frame of a signed-in area: a side navigation that collapses, Sign Out at its bottom, and the screen. */
export function DashboardLayout({ area, entries }: { area: Area; entries: readonly SidebarEntry[] }) {
  return (
    <AppProviders>
      <Guard area={area}>
        <Frame entries={entries} />
      </Guard>
    </AppProviders>
  );
}

function Frame({ entries }: { entries: readonly SidebarEntry[] }) {
  const [opened, drawer] = useDisclosure(false);
  const [narrow, setNarrow] = useLocalStorage({
    key: "sidebarCollapsed",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const phone = useMediaQuery(`(max-width: ${limits.sidebarCollapsePixels}px)`, false, {
    getInitialValueInEffect: false,
  });
  const covered = opened && phone;
  useHotkeys(covered ? [["Escape", drawer.close]] : []);
  return (
    <AppShell
      header={{ height: headerHeight }}
      navbar={{ width: narrow ? 76 : 248, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", md: "xl" }}
      bg="var(--site-canvas)"
    >
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <AppShell.Header px="md" bg="var(--site-surface)" className={classes.header ?? ""}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={drawer.toggle}
              hiddenFrom="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <ActionIcon
              variant="subtle"
              size={44}
              visibleFrom="sm"
              aria-label={narrow ? "Widen the navigation" : "Narrow the navigation"}
              aria-expanded={!narrow}
              className={classes.narrow ?? ""}
              onClick={() => setNarrow(!narrow)}
            >
              {narrow ? <IconLayoutSidebarLeftExpand aria-hidden /> : <IconLayoutSidebarLeftCollapse aria-hidden />}
            </ActionIcon>
            <Link to="/" aria-label={`${brand.name}, home page`} style={{ display: "flex", textDecoration: "none" }}>
              <Logo />
            </Link>
          </Group>
          <UserMenu fallback={null} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        bg="var(--site-surface)"
        aria-label="Area"
        className={classes.navbar ?? ""}
        // Collapsed it only lies beside the screen, where the keyboard would still reach it.
        style={{ visibility: phone && !opened ? "hidden" : "visible" }}
      >
        <Sidebar entries={entries} narrow={narrow && !opened} onFollowed={drawer.close} />
      </AppShell.Navbar>
      {covered && (
        <UnstyledButton
          className={classes.scrim ?? ""}
          aria-label="Close the navigation"
          tabIndex={-1}
          onClick={drawer.close}
        />
      )}
      <AppShell.Main id="main" className={classes.main ?? ""} inert={covered}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function Sidebar({
  entries,
  narrow,
  onFollowed,
}: {
  entries: readonly SidebarEntry[];
  narrow: boolean;
  onFollowed: () => void;
}) {
  const { role } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const mayCall = useMayCall();
  const shown = entries.filter((entry) => role !== null && isFor(entry, role));
  const leave = () => {
    void signOut().then(() => navigate("/login"));
  };
  return (
    <>
      <AppShell.Section grow className={classes.entries ?? ""}>
        {shown.map(({ to, label: name, icon: EntryIcon }) => {
          const label = typeof name === "string" ? name : name(mayCall);
          const active =
            pathname === to || (to.endsWith("/dashboard") && `${pathname.replace(/\/$/, "")}/dashboard` === to);
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={narrow ? undefined : label}
              aria-label={label}
              title={narrow ? label : undefined}
              active={active}
              aria-current={active ? "page" : undefined}
              leftSection={<EntryIcon size={20} stroke={1.7} aria-hidden />}
              onClick={onFollowed}
              mih={46}
              mb={4}
              style={{ borderRadius: 10, fontWeight: 550 }}
            />
          );
        })}
      </AppShell.Section>
      <AppShell.Section>
        <NavLink
          component="button"
          label={narrow ? undefined : "Sign Out"}
          aria-label="Sign Out"
          leftSection={<IconLogout size={20} stroke={1.7} aria-hidden />}
          onClick={leave}
          mih={46}
          style={{ borderRadius: 10, fontWeight: 550 }}
        />
      </AppShell.Section>
    </>
  );
}
