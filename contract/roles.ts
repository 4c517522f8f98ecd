/**
 * The area of each role, and whether it is a child account there. Everything else about roles derives from this table.
 */
const roleFacts = {
  user: { area: "user", child: false },
  userChild: { area: "user", child: true },
  partner: { area: "partner", child: false },
  partnerChild: { area: "partner", child: true },
  admin: { area: "admin", child: false },
  adminChild: { area: "admin", child: true },
} as const;

export type Role = keyof typeof roleFacts;
export type Area = (typeof roleFacts)[Role]["area"];

export const roles = Object.keys(roleFacts) as Role[];

export const isRole = (name: unknown): name is Role => typeof name === "string" && Object.hasOwn(roleFacts, name);

/** The area a role works in; its screens live under `/{area}`. */
export const areaOf = (role: Role): Area => roleFacts[role].area;

/** Whether the role is a child account, which works for its organisation but does not answer for it. */
export const isChild = (role: Role): boolean => roleFacts[role].child;

/** The roles that answer for their organisation. */
export const mainRoles: readonly Role[] = roles.filter((role) => !isChild(role));

type RoleWith<Facts> = { [Each in Role]: (typeof roleFacts)[Each] extends Facts ? Each : never }[Role];

/** The role of the child accounts that an area's main account adds. */
export const childOf: { readonly [Each in Area]: RoleWith<{ area: Each; child: true }> } = {
  user: "userChild",
  partner: "partnerChild",
  admin: "adminChild",
};
