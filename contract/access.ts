import type { OperationName } from "./operations.ts";
import { adminRoles, customerRoles, partnerRoles, type Role } from "./roles.ts";

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
  "auth/invitation": { callers: "public", reach: "none" },
  "auth/accept-invite": { callers: "public", reach: "none" },
  "auth/logout": { callers: "session", reach: "own" },
  "auth/change-password": { callers: "session", reach: "own" },
  "user/me": { callers: "session", reach: "own" },
  estimator: { callers: "publicOrSession", reach: "none" },
  // Visitors have no account: the token of the answer to their own estimate says whose proposal it is.
  "estimator/proposal": { callers: "publicOrSession", reach: "own" },
  "estimator/price": { callers: "publicOrSession", reach: "none" },
  blogs: { callers: "public", reach: "none" },
  "blogs/{idKey}": { callers: "public", reach: "none" },
  contact: { callers: "public", reach: "none" },
  "logs/categories": { callers: "public", reach: "none" },
  logs: { callers: "public", reach: "none" },
  "logs/search": { callers: "public", reach: "none" },
  "user/get-estimation": { callers: customerRoles, reach: "organisation" },
  "user/orders": { callers: customerRoles, reach: "organisation" },
  "user/get-payment-by-email": { callers: customerRoles, reach: "organisation" },
  "user/get-signed-url": { callers: customerRoles, reach: "organisation" },
  "user/get-users-dashboard-url": { callers: customerRoles, reach: "organisation" },
  "user/sessions": { callers: "session", reach: "own" },
  "auth/end-session": { callers: "session", reach: "own" },
  "auth/logout-everywhere": { callers: "session", reach: "own" },
  "user/children": { callers: ["user"], reach: "organisation" },
  "user/create-child-user": { callers: ["user"], reach: "organisation" },
  "people/resend-invitation": { callers: ["user", "partner", "partnerChild", "admin"], reach: "customers" },
  "people/withdraw-invitation": { callers: ["user", "partner", "partnerChild", "admin"], reach: "customers" },
  "partner/get-partner-dashboard": { callers: partnerRoles, reach: "customers" },
  "partner/users": { callers: partnerRoles, reach: "customers" },
  "partner/create-user": { callers: partnerRoles, reach: "customers" },
  "partner/get-user-by-partner-email": { callers: partnerRoles, reach: "customers" },
  "partner/get-payment-details": { callers: partnerRoles, reach: "customers" },
  "partner/get-customer-tool": { callers: partnerRoles, reach: "customers" },
  "partner/get-signed-url": { callers: partnerRoles, reach: "customers" },
  "partner/children": { callers: ["partner"], reach: "organisation" },
  "partner/create-child-user": { callers: ["partner"], reach: "organisation" },
  "admin/suspend": { callers: ["admin"], reach: "any" },
  "admin/restore": { callers: ["admin"], reach: "any" },
  "admin/getUserByAdmin": { callers: adminRoles, reach: "any" },
  "admin/createPartnerByAdmin": { callers: ["admin"], reach: "any" },
  "admin/getUserByEmailforAdmin": { callers: adminRoles, reach: "any" },
  "admin/getUsersByPartnerEmail": { callers: adminRoles, reach: "any" },
  "admin/getPaymentDetailsByPartnerId": { callers: adminRoles, reach: "any" },
  "admin/getPaymentDetailsByEmailforAdmin": { callers: adminRoles, reach: "any" },
  "admin/getPaymentDetailsByStatus": { callers: adminRoles, reach: "any" },
  "admin/getEstimationByAdmin": { callers: adminRoles, reach: "any" },
  "admin/getQuoteRates": { callers: adminRoles, reach: "any" },
  "admin/confirmQuoteRates": { callers: ["admin"], reach: "any" },
  "admin/getSignedUrlByAdmin": { callers: adminRoles, reach: "any" },
  "admin/getChildrenByParentId": { callers: ["admin"], reach: "organisation" },
  "admin/createChildUserByAdmin": { callers: ["admin"], reach: "organisation" },
  "admin/getcustomertToolByEmailApi": { callers: adminRoles, reach: "any" },
  "admin/createCustomerToolByEmailApi": { callers: ["admin"], reach: "any" },
  "admin/updateCustomerToolSiemByAdmin": { callers: ["admin"], reach: "any" },
  "admin/updateCustomerToolSoarByAdmin": { callers: ["admin"], reach: "any" },
  "admin/overview": { callers: adminRoles, reach: "any" },
  "admin/getPartnerDashboardByEmail": { callers: adminRoles, reach: "any" },
  "admin/rate-card": { callers: adminRoles, reach: "any" },
  "admin/updateRateCard": { callers: ["admin"], reach: "any" },
};

/** Whether someone with this role may call the operation; null is a visitor with a public token. */
export function mayCall(name: OperationName, role: Role | null): boolean {
  const { callers } = access[name];
  if (callers === "anyone" || callers === "publicOrSession") return true;
  if (callers === "public") return role === null;
  if (callers === "session") return role !== null;
  return role !== null && callers.includes(role);
}
