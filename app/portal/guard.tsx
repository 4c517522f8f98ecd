import { Skeleton, Stack } from "@mantine/core";
import { useHydrated } from "../components/use-hydrated.ts";
import { Fragment, type ReactNode, useEffect } from "react";
import { Navigate, useLocation } from "react-router";
import { mayCall } from "../../contract/access.ts";
import type { OperationName } from "../../contract/operations.ts";
import { type Area, areaOf, isChild, type Role } from "../../contract/roles.ts";
import { tellEnded } from "../api.ts";
import { dashboardOf, hasRunOut, useSession } from "../session.ts";

/** The users that a screen of an area is for. */
export interface Audience {
  /** Users who may call this operation. */
  needs: OperationName;
  /** Excludes child accounts, even if they may call it. */
  mainOnly?: true;
}

export const isFor = ({ needs, mainOnly }: Audience, role: Role): boolean =>
  mayCall(needs, role) && !(mainOnly && isChild(role));

/**
 * Shows its content to users of an area, or to an audience within one. A visitor is sent to /login and back, another
 * role to its own dashboard. The server decides what anyone may read; this only decides what is shown.
 */
export function Guard({ area, to, children }: { area?: Area; to?: Audience; children: ReactNode }) {
  const { isAuthenticated, role, email } = useSession();
  const { pathname, search } = useLocation();
  const hydrated = useHydrated();
  // Tells the user if the stored session has expired, as a call that finds it so does.
  const ended = hydrated && hasRunOut();
  useEffect(() => {
    if (ended) tellEnded();
  }, [ended]);
  if (!hydrated) return <Waiting />;
  if (!isAuthenticated || !role)
    return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} replace />;
  const allowed = (!area || areaOf(role) === area) && (!to || isFor(to, role));
  // Keyed by path: a second redirect to the same dashboard may overtake the first, and would not start otherwise.
  if (!allowed) return <Navigate key={pathname} to={dashboardOf(role)} replace />;
  // Keyed by account: another account starts afresh, with nothing left on the screen from the one before.
  return <Fragment key={email}>{children}</Fragment>;
}

function Waiting() {
  return (
    <Stack p="xl" gap="md" role="status" aria-busy="true" aria-label="Loading">
      <Skeleton h={36} w={220} maw="100%" />
      <Skeleton h={160} />
    </Stack>
  );
}
