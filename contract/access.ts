import type { OperationName } from "./operations.ts";
import { customerRoles, type Role } from "./roles.ts";

/**
 * Who may call an operation.
 * anyone: no token. public: a public token. publicOrSession: either. session: any role. A list: just those roles.
 */
export type Callers = "anyone" | "public" | "publicOrSession" | "session" | readonly Role[];

/** Whose records an operation may touch. */
export type Reach = "none" | "own" | "organisation" | "customers" | "any";

/** THE table. Its type demands an entry for every operation; what is not allowed here is denied. */
export const access: Record<OperationName, { callers: Callers; reach: Reach }> = {
  "generate-token": { callers: "anyone", reach: "none" },
  "auth/register": { callers: "public", reach: "none" },
  "auth/login": { callers: "public", reach: "none" },
  "auth/verify-otp": { callers: "public", reach: "none" },
  "auth/forgot-password": { callers: "public", reach: "none" },
  "auth/reset-password": { callers: "public", reach: "none" },
  "auth/accept-invite": { callers: "public", reach: "none" },
  "auth/logout": { callers: "session", reach: "own" },
  "auth/change-password": { callers: "session", reach: "own" },
  "user/me": { callers: "session", reach: "own" },
  estimator: { callers: "publicOrSession", reach: "none" },
  "estimator/price": { callers: "publicOrSession", reach: "none" },
  "user/get-estimation": { callers: customerRoles, reach: "organisation" },
  "user/orders": { callers: customerRoles, reach: "organisation" },
  "user/get-payment-by-email": { callers: customerRoles, reach: "organisation" },
  "user/get-signed-url": { callers: customerRoles, reach: "organisation" },
  "user/get-users-dashboard-url": { callers: customerRoles, reach: "organisation" },
};

/** Whether someone with this role may call the operation; null is a visitor with a public token. */
export function mayCall(name: OperationName, role: Role | null): boolean {
  const { callers } = access[name];
  if (callers === "anyone" || callers === "publicOrSession") return true;
  if (callers === "public") return role === null;
  if (callers === "session") return role !== null;
  return role !== null && callers.includes(role);
}
