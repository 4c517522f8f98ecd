import { areaOf, isChild, type Role } from "../../contract/roles.ts";

/** What a role is called to whom has it. */
export function roleName(role: Role): string {
  if (areaOf(role) === "admin") return isChild(role) ? "Child administrator" : "Administrator";
  return isChild(role) ? "Child account" : "Main account";
}
