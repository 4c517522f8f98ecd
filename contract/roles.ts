export const roles = ["user", "userChild", "partner", "partnerChild", "admin", "adminChild"] as const;
export type Role = (typeof roles)[number];

export const customerRoles = ["user", "userChild"] as const satisfies readonly Role[];
export const partnerRoles = ["partner", "partnerChild"] as const satisfies readonly Role[];
export const adminRoles = ["admin", "adminChild"] as const satisfies readonly Role[];

export type Area = "user" | "partner" | "admin";

/** The area a role works in; its screens live under `/{area}`. */
export function areaOf(role: Role): Area {
  return role.replace("Child", "") as Area;
}
