import { ActionIcon, Box, Group, UnstyledButton } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { type Icon, IconLayoutSidebarLeftCollapse, IconLogout, IconMenu2, IconX } from "@tabler/icons-react";
import { type ComponentType, Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, Outlet, useLocation, useNavigate, useNavigation } from "react-router";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import type { OperationName } from "../../contract/operations.ts";
import { type Area, areaOf } from "../../contract/roles.ts";
import { useSession } from "../session.ts";
import { signOut } from "../sign-out.ts";
import { AppProviders } from "../components/app-providers.tsx";
import { type Audience, Guard, isFor } from "./guard.tsx";
import { Logo } from "../components/logo.tsx";
import { UnderWay } from "../components/still-loading.tsx";
import { Banners } from "./banners.tsx";
import { Bell } from "./bell.tsx";
import { stayOffline } from "./stay-offline.ts";
import { PaletteButton } from "./palette-button.tsx";
import { noticesPath } from "./use-news.ts";
import { useMayCall } from "./use-may-call.ts";
import { useScreenFocus } from "./use-screen-focus.ts";
import { UserMenu } from "./user-menu.tsx";
import classes from "./dashboard-layout.module.css";
import "../styles-portal.css";

/** A screen in the side navigation, for those users of the area who may call the operation it needs. */
export interface SidebarEntry extends Audience {
  to: string;
  /** Its name, which may depend on what the user may do there. */
  label: string | ((mayCall: (name: OperationName) => boolean) => string);
  icon: Icon;
  /** The heading it stands under; a long navigation has several. */
  group?: string;
  /** Renders the entry only while it is of use. */
  Shown?: ComponentType<{ children: ReactNode }>;
  /** The number of things that wait there; part of the entry's name while the navigation is wide. */
  Count?: ComponentType;
}

// A class name of the dialogs' scroll lock: fixed elements with it move aside by the hidden scrollbar's width.
const besideScrollbar = "right-scroll-bar-position";

/** The frame of a signed-in area: a side navigation that collapses, Sign Out at its bottom, and the screen. */
export function DashboardLayout({
  area,
  entries,
  urgent = null,
}: {
  area: Area;
  entries: readonly SidebarEntry[];
  /** Shown in the header of every screen, for what must be found at once. */
  urgent?: ReactNode;
}) {
  return (
    <AppProviders>
      <Guard area={area}>
        <Frame entries={entries} urgent={urgent} />
      </Guard>
    </AppProviders>
  );
}

/** In em, so that large letters count as a phone sooner. */
const phones = `(max-width: ${limits.sidebarCollapsePixels / 16}em)`;

function Frame({ entries, urgent }: { entries: readonly SidebarEntry[]; urgent: ReactNode }) {
  const [opened, drawer] = useDisclosure(false);
  const burger = useRef<HTMLButtonElement>(null);
  const [narrow, setNarrow] = useNarrow();
  useScreenFocus();
  const phone = useMediaQuery(phones, false, { getInitialValueInEffect: false });
  const covered = opened && phone;
  const close = () => {
    drawer.close();
    burger.current?.focus();
  };
  useEscape(covered, close);
  return (
    <div
      className={classes.shell}
      data-portal
      data-narrow={narrow || undefined}
      data-opened={opened || undefined}
      onClickCapture={stayOffline}
    >
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className={`${classes.header} ${besideScrollbar}`}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <ActionIcon
              ref={burger}
              variant="subtle"
              size={44}
              hiddenFrom="sm"
              aria-label="Navigation"
              aria-expanded={opened}
              onClick={drawer.toggle}
            >
              {opened ? <IconX aria-hidden /> : <IconMenu2 aria-hidden />}
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size={44}
              visibleFrom="sm"
              aria-label={narrow ? "Widen the navigation" : "Narrow the navigation"}
              aria-expanded={!narrow}
              className={classes.narrow ?? ""}
              onClick={() => setNarrow(!narrow)}
            >
              {narrow ? <IconMenu2 aria-hidden /> : <IconLayoutSidebarLeftCollapse aria-hidden />}
            </ActionIcon>
            <Link to="/" aria-label={`${brand.name}, home page`} className={classes.home ?? ""}>
              <Logo compact={phone && urgent !== null} />
            </Link>
          </Group>
          <HeadTools entries={entries} urgent={urgent} />
        </Group>
      </header>
      <nav
        aria-label="Area"
        className={classes.navbar}
        // The closed drawer only lies beside the screen, where the keyboard would still reach it.
        style={{ visibility: phone && !opened ? "hidden" : "visible" }}
      >
        <Sidebar entries={entries} narrow={narrow && !opened} onFollowed={drawer.close} onStayed={close} />
      </nav>
      {covered && (
        <UnstyledButton
          className={classes.scrim ?? ""}
          aria-label="Close the navigation"
          tabIndex={-1}
          onClick={close}
        />
      )}
      <main id="main" className={classes.main} inert={covered}>
        <NextScreen />
        <Banners />
        <Outlet />
      </main>
    </div>
  );
}

function useEscape(closes: boolean, close: () => void): void {
  useEffect(() => {
    if (!closes) return undefined;
    const closeByKey = ({ key }: KeyboardEvent) => key === "Escape" && close();
    addEventListener("keydown", closeByKey);
    return () => removeEventListener("keydown", closeByKey);
  });
}

/** Shows that the next screen is still loading. */
const NextScreen = () => (useNavigation().state === "idle" ? null : <UnderWay />);

/** The entries that the signed-in user may see, with their labels resolved. */
function useShown(entries: readonly SidebarEntry[]) {
  const { role } = useSession();
  const mayCall = useMayCall();
  return entries
    .filter((entry) => role !== null && isFor(entry, role))
    .map((entry) => ({ ...entry, label: typeof entry.label === "string" ? entry.label : entry.label(mayCall) }));
}

/** The header's tools beside the navigation: the search over everything, the bell and the account menu. */
function HeadTools({ entries, urgent }: { entries: readonly SidebarEntry[]; urgent: ReactNode }) {
  const screens = useShown(entries);
  const area = areaOf(useSession().role ?? "user");
  return (
    <Group gap={4} wrap="nowrap">
      {urgent}
      <PaletteButton screens={[...screens, { to: noticesPath(area), label: "Notices" }]} />
      <Bell />
      <UserMenu fallback={<Box w={{ base: 58, sm: "calc(66px + min(160px, 11vw))" }} />} />
    </Group>
  );
}

/** Whether the navigation is narrow; kept in this browser for all tabs. */
function useNarrow(): [narrow: boolean, setNarrow: (narrow: boolean) => void] {
  const [narrow, setNarrow] = useState(isKeptNarrow);
  useEffect(() => {
    const take = () => setNarrow(isKeptNarrow());
    addEventListener("storage", take);
    return () => removeEventListener("storage", take);
  }, []);
  return [
    narrow,
    (chosen) => {
      localStorage.setItem("sidebarCollapsed", String(chosen));
      setNarrow(chosen);
    },
  ];
}

const isKeptNarrow = () => localStorage.getItem("sidebarCollapsed") === "true";

function Sidebar({
  entries,
  narrow,
  onFollowed,
  onStayed,
}: {
  entries: readonly SidebarEntry[];
  narrow: boolean;
  onFollowed: () => void;
  /** Called when the entry of the current screen is pressed: no new heading will take the focus. */
  onStayed: () => void;
}) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const shown = useShown(entries);
  const leave = () => {
    void signOut().then(() => navigate("/login"));
  };
  return (
    <>
      <div className={classes.entries}>
        {shown.map(({ to, label, icon: EntryIcon, group, Count, Shown = Fragment }, index) => {
          const active = to === pathname || to === `${pathname.replace(/\/$/, "")}/dashboard`;
          // Such as one incident below the list of all.
          const isWithin = active || pathname.startsWith(to);
          return (
            <Fragment key={to}>
              {group && group !== shown[index - 1]?.group && <GroupHead name={group} narrow={narrow} />}
              <Shown>
                <Link
                  ref={isWithin ? reveal : undefined}
                  to={to}
                  // With a count beside the label, the entry's text is its accessible name.
                  aria-label={Count && !narrow ? undefined : label}
                  title={narrow ? label : undefined}
                  aria-current={active ? "page" : isWithin || undefined}
                  className={classes.entry}
                  onClick={active ? onStayed : onFollowed}
                >
                  <EntryIcon size={20} stroke={1.7} aria-hidden />
                  {!narrow && <span>{label}</span>}
                  {Count && !narrow && (
                    <span className={classes.count}>
                      <Count />
                    </span>
                  )}
                </Link>
              </Shown>
            </Fragment>
          );
        })}
      </div>
      <div>
        <button type="button" aria-label="Sign Out" className={classes.entry} onClick={leave}>
          <IconLogout size={20} stroke={1.7} aria-hidden />
          {!narrow && <span>Sign Out</span>}
        </button>
      </div>
    </>
  );
}

/** Scrolls the list to the link. By scrollIntoView, the first Tab would go on behind it, past the way to the content. */
function reveal(link: HTMLAnchorElement | null): void {
  const list = link?.parentElement;
  if (!list) return;
  const [at, seen] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  // The list fades out at its lower edge.
  list.scrollTop += Math.max(0, at.bottom - seen.bottom + 28) + Math.min(0, at.top - seen.top);
}

const GroupHead = ({ name, narrow }: { name: string; narrow: boolean }) =>
  narrow ? <hr className={classes.line} /> : <p className={classes.group}>{name}</p>;
