import type { Role } from "./roles.ts";

/** The groups that a role is in. Each role has to say: what no group of its own may do, it may not. */
export const groupsOf = {
  user: ["customers", "mainCustomers", "inviters"],
  userChild: ["customers"],
  partner: ["partners", "mainPartners", "inviters"],
  partnerChild: ["partners", "inviters"],
  admin: ["admins", "mainAdmins", "inviters"],
  adminChild: ["admins"],
} as const satisfies Record<Role, readonly string[]>;

export type Group = (typeof groupsOf)[Role][number];
