import { Card, Skeleton, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { useSearchParams } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Profile } from "../../contract/accounts.ts";
import { areaOf, isChild, type Role } from "../../contract/roles.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { AddressText, PhoneNumber } from "../components/address-text.tsx";
import { Initials } from "../components/initials.tsx";
import { shownLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { useProfile } from "../portal/user-menu.tsx";
import classes from "./account-settings.module.css";

export const meta = () => [{ title: `Account Settings – ${brand.name}` }];

const PasswordChange = shownLater(
  () => import("./password-change.tsx"),
  () => <Skeleton h={414} radius="md" />,
);

const Sessions = shownLater(
  () => import("./sessions.tsx"),
  () => <ListLoading rows={2} />,
);

const Mails = shownLater(
  () => import("./mails.tsx"),
  () => <ListLoading rows={3} />,
);

/** Tabs that a link may lead to. */
const linked = ["mails", "sessions"];

/** The signed-in user's profile, password, sessions and e-mail choices; the same screen for every role. */
export default function AccountSettings() {
  const { user, isError, refetch } = useProfile();
  const [address] = useSearchParams();
  const first = linked.find((tab) => tab === address.get("show")) ?? "overview";
  if (isError && !user)
    return (
      <>
        <PageTitle title="Account Settings" />
        <ListFailed message={messages.profileFailed} onRetry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageTitle title="Account Settings" />
      <div className={classes.columns}>
        <div>
          <Card withBorder radius="lg" padding="xl" bg="var(--site-surface)">
            {user ? (
              <ProfileCard user={user} />
            ) : (
              <Skeleton h={232} radius="md" role="status" aria-busy aria-label="Loading" />
            )}
          </Card>
        </div>
        <div>
          <Card withBorder radius="lg" p={{ base: "md", sm: "xl" }} bg="var(--site-surface)">
            <Tabs
              key={first}
              defaultValue={first}
              keepMounted={false}
              styles={{ tab: { paddingInline: 12, minHeight: 44 } }}
            >
              <Tabs.List mb="lg">
                <Tabs.Tab value="overview">Overview</Tabs.Tab>
                <Tabs.Tab value="edit">Edit Profile</Tabs.Tab>
                <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
                <Tabs.Tab value="mails">Mails</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="overview">{user ? <Overview user={user} /> : <ListLoading rows={3} />}</Tabs.Panel>
              <Tabs.Panel value="edit">
                {user && (
                  <Stack gap="md">
                    {factsOf(user).map(([label, value]) => (
                      <TextInput key={label} label={label} value={value} readOnly variant="filled" />
                    ))}
                    <PasswordChange />
                  </Stack>
                )}
              </Tabs.Panel>
              <Tabs.Panel value="sessions">
                <Sessions />
              </Tabs.Panel>
              <Tabs.Panel value="mails">
                <Mails />
              </Tabs.Panel>
            </Tabs>
          </Card>
        </div>
      </div>
    </>
  );
}

function ProfileCard({ user }: { user: Profile }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <Stack align="center" ta="center" gap="xs" style={{ overflowWrap: "anywhere" }}>
      <Initials name={name} size={84} />
      <Text fw={680} fz="lg">
        {name}
      </Text>
      <StateBadge tone="info">{roleName(user.role)}</StateBadge>
      <Text c="var(--site-muted)">
        <AddressText address={user.email} />
      </Text>
      <Text c="var(--site-muted)">
        <PhoneNumber number={user.phoneNo} />
      </Text>
    </Stack>
  );
}

function roleName(role: Role): string {
  if (areaOf(role) === "admin") return isChild(role) ? "Child administrator" : "Administrator";
  return isChild(role) ? "Child account" : "Main account";
}

function Overview({ user }: { user: Profile }) {
  return (
    <Stack component="dl" gap="md" m={0}>
      {factsOf(user).map(([label, value]) => (
        <div key={label}>
          <Text component="dt" fz="sm" c="var(--site-muted)">
            {label}
          </Text>
          <Text component="dd" m={0} fw={600} style={{ overflowWrap: "anywhere" }}>
            {label === "Phone" ? <PhoneNumber number={value} /> : value}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

function factsOf(user: Profile): [label: string, value: string][] {
  return [
    ["Full name", `${user.firstName} ${user.lastName}`],
    ["Email", user.email],
    ["Phone", user.phoneNo],
    ["Organization", user.organizationName],
  ];
}
