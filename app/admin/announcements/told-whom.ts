import type { Announcement } from "../../../contract/announcements.ts";

/** "Everybody", or whom it names; the contract's own words are not loaded with the list. */
export function toldWhom({ audience, roles, organizations }: Announcement): string {
  const names = organizations.map(({ name }) => name).join(", ");
  switch (audience) {
    case "all":
      return "Everybody";
    case "roles":
      return roles.join(", ");
    case "partner":
      return `${names} and its customers`;
    case "customers":
      return names;
  }
}
