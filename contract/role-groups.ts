import type { Role } from "./roles.ts";

/** The groups of each role. A role may do only what one of its groups may. */
export const groupsOf = {
  user: ["customers", "mainCustomers", "inviters"],
  userChild: ["customers"],
  partner: ["partners", "mainPartners", "inviters"],
  partnerChild: ["partners", "inviters"],
  admin: ["admins", "mainAdmins", "inviters"],
  adminChild: ["admins"],
} as const satisfies Record<Role, readonly string[]>;

export type Group = (typeof groupsOf)[Role][number];
