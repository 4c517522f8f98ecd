import { Skeleton, Stack } from "@mantine/core";
import { useHydrated } from "../components/use-hydrated.ts";
import { Fragment, type ReactNode, useEffect } from "react";
import { Navigate, useLocation } from "react-router";
import { mayCall } from "../../contract/access.ts";
import type { OperationName } from "../../contract/operations.ts";
import { type Area, areaOf, isChild, type Role } from "../../contract/roles.ts";
import { tellEnded } from "../api.ts";
import { dashboardOf, hasRunOut, useSession } from "../session.ts";

/** Whom a screen of an area is for. */
export interface Audience {
  /** Whoever may call this operation. */
  needs: OperationName;
  /** Of these no child accounts, though they may call it. */
  mainOnly?: true;
}

export const isFor = ({ needs, mainOnly }: Audience, role: Role): boolean =>
  mayCall(needs, role) && !(mainOnly && isChild(role));

/**
 * Shows its content to those allowed: of an area, or of an audience in it. A visitor is led to /login and back,
 * another role to its own dashboard. The server decides what anyone may read; this decides what is shown.
 */
export function Guard({ area, to, children }: { area?: Area; to?: Audience; children: ReactNode }) {
  const { isAuthenticated, role, email } = useSession();
  const { pathname, search } = useLocation();
  const hydrated = useHydrated();
  // Who comes with a session that has run out is told so, as by a call that finds it.
  const ended = hydrated && hasRunOut();
  useEffect(() => {
    if (ended) tellEnded();
  }, [ended]);
  if (!hydrated) return <Waiting />;
  if (!isAuthenticated || !role)
    return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} replace />;
  const allowed = (!area || areaOf(role) === area) && (!to || isFor(to, role));
  // By its place, as one redirect may be overtaken by a second one to the same dashboard, which would not start again.
  if (!allowed) return <Navigate key={pathname} to={dashboardOf(role)} replace />;
  // Another account starts afresh: nothing on the screen is kept from the one before.
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
