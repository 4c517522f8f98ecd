import type { Announcement } from "../../../contract/announcements.ts";

/** "Everybody", or the names of the audience. */
export function toldWhom({ audience, roles, organizations }: Announcement): string {
  const names = organizations.map(({ name }) => name).join(", ");
  const told: Record<typeof audience, string> = {
    all: "Everybody",
    roles: roles.join(", "),
    partner: `${names} and its customers`,
    customers: names,
  };
  return told[audience];
}
