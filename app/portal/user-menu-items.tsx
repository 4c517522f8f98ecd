import { Menu, Stack, Text } from "@mantine/core";
import { IconLayoutDashboard, IconLogout, IconSettings } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { Link, useNavigate } from "react-router";
import type { Profile } from "../../contract/accounts.ts";
import { areaOf } from "../../contract/roles.ts";
import { useOpenedByPress } from "../components/menu-button.tsx";
import { signOut } from "../sign-out.ts";

/** The account menu: facts about the account, and its links. */
export default function UserMenuItems({ button, user }: { button: ReactElement; user: Profile }) {
  const navigate = useNavigate();
  const name = `${user.firstName} ${user.lastName}`;
  const area = areaOf(user.role);
  const facts = [user.email, user.organizationName, user.phoneNo, user.role];
  return (
    <Menu
      {...useOpenedByPress()}
      position="bottom-end"
      width={280}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{button}</Menu.Target>
      {/* In a low window it scrolls, which Mantine's own focus on the first entry does not do. */}
      <Menu.Dropdown
        mah="calc(100dvh - 5rem)"
        style={{ overflowY: "auto" }}
        onFocus={({ target }) => target.scrollIntoView({ block: "nearest" })}
      >
        {/* No paragraphs: a menu may contain no element with a role other than its items. */}
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
