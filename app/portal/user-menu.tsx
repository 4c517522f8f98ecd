import { Button, Group, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconUserExclamation } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { ApiError, call } from "../api.ts";
import { Initials } from "../components/initials.tsx";
import { MenuButton } from "../components/menu-button.tsx";
import { endSession, useSession } from "../session.ts";
import "../styles-portal.css";

/** The signed-in user's profile; a 403 signs out, as a session that may not read its own profile is useless. */
export function useProfile() {
  // Keyed by e-mail, so that it is refetched when another tab signs in as somebody else.
  const { email } = useSession();
  const profile = useQuery({ queryKey: ["user/me", email], queryFn: ({ signal }) => call("user/me", {}, signal) });
  const refused = profile.error instanceof ApiError && profile.error.status === 403;
  useEffect(() => {
    if (refused) endSession();
  }, [refused]);
  return { ...profile, user: profile.data?.user };
}

/** Avatar and name, with the account menu. */
export function UserMenu({ fallback }: { fallback: ReactNode }) {
  const { user, isError, isFetching, refetch } = useProfile();
  if (!user && isError)
    return (
      <Button
        variant="default"
        px="sm"
        loading={isFetching}
        aria-label="Load my profile again"
        onClick={() => void refetch()}
      >
        <IconUserExclamation size={20} aria-hidden />
        <Text component="span" inherit ms={8} visibleFrom="sm">
          Load my profile again
        </Text>
      </Button>
    );
  if (!user) return fallback;
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <MenuButton
      load={() => import("./user-menu-items.tsx")}
      menu={{ user }}
      button={
        <UnstyledButton mih={44}>
          <VisuallyHidden>Account of {name}</VisuallyHidden>
          <Group gap={8} wrap="nowrap">
            <Initials name={name} size={34} />
            <Text component="span" fw={600} fz="sm" maw="min(160px, 11vw)" truncate visibleFrom="sm" aria-hidden>
              {name}
            </Text>
            <IconChevronDown size={16} aria-hidden />
          </Group>
        </UnstyledButton>
      }
    />
  );
}
