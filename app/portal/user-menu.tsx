import { Avatar, Button, Group, Menu, Stack, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconLayoutDashboard, IconLogout, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link, useNavigate } from "react-router";
import { areaOf } from "../../contract/roles.ts";
import { ApiError, call } from "../api.ts";
import { clearSession, useSession } from "../session.ts";
import { signOut } from "../sign-out.ts";
import "../styles-portal.css";

/** The signed-in person's profile; a 403 signs out, as a session that may not read its own profile is of no use. */
export function useProfile() {
  // By e-mail, so that this asks anew when another tab signed in as somebody else.
  const { email } = useSession();
  const profile = useQuery({ queryKey: ["user/me", email], queryFn: ({ signal }) => call("user/me", {}, signal) });
  const refused = profile.error instanceof ApiError && profile.error.status === 403;
  useEffect(() => {
    if (refused) clearSession();
  }, [refused]);
  return { ...profile, user: profile.data?.user };
}

/** Avatar and name, with what the account is and where it leads. */
export function UserMenu({ fallback }: { fallback: ReactNode }) {
  const { user, isError, isFetching, refetch } = useProfile();
  const navigate = useNavigate();
  if (!user && isError)
    return (
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        Load my profile again
      </Button>
    );
  if (!user) return fallback;
  const name = `${user.firstName} ${user.lastName}`;
  const area = areaOf(user.role);
  const facts = [user.email, user.organizationName, user.phoneNo, user.role];
  return (
    <Menu position="bottom-end" width={280} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton mih={44}>
          <VisuallyHidden>Account of {name}</VisuallyHidden>
          <Group gap={8} wrap="nowrap">
            <Avatar size={34} color="brand" name={name} alt="" aria-hidden />
            <Text component="span" fw={600} fz="sm" maw={160} truncate visibleFrom="sm" aria-hidden>
              {name}
            </Text>
            <IconChevronDown size={16} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {/* No paragraphs: a menu may hold nothing with a role but its items. */}
        <Stack gap={2} px="sm" py="xs">
          <Text component="span" fw={650} style={{ overflowWrap: "anywhere" }}>
            {name}
          </Text>
          {facts.map((fact) => (
            <Text key={fact} component="span" fz="sm" c="var(--site-muted)" style={{ overflowWrap: "anywhere" }}>
              {fact}
            </Text>
          ))}
        </Stack>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to={`/${area}/dashboard`}
          leftSection={<IconLayoutDashboard size={17} aria-hidden />}
        >
          Dashboard
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={`/${area}/account-settings`}
          leftSection={<IconSettings size={17} aria-hidden />}
        >
          Account Settings
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={17} aria-hidden />}
          onClick={() => void signOut().then(() => navigate("/"))}
        >
          Sign Out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
