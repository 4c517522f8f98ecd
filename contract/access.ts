import type { OperationName } from "./operations.ts";
import { type Role, roles } from "./roles.ts";

/** The groups that a role is in. Each role has to say: what no group of its own may do, it may not. */
const groupsOf = {
  user: ["customers", "mainCustomers", "inviters"],
  userChild: ["customers"],
  partner: ["partners", "mainPartners", "inviters"],
  partnerChild: ["partners", "inviters"],
  admin: ["admins", "mainAdmins", "inviters"],
  adminChild: ["admins"],
} as const satisfies Record<Role, readonly string[]>;

type Group = (typeof groupsOf)[Role][number];

/** Who may call an operation. anyone: no token. public: a public token. publicOrSession: either. */
type Visitors = "anyone" | "public" | "publicOrSession";
/** session: any role. Otherwise the roles of a group. */
type SignedIn = "session" | Group;

/**
 * Whose records an operation may touch: the caller's own, their organisation's, those of the organisation's customers,
 * the invitations that they may send, or everybody's.
 */
export type Reach = "none" | "own" | "organisation" | "customers" | "invited" | "any";

type Entry = { callers: Visitors; reach: "none" } | { callers: SignedIn; reach: Exclude<Reach, "none"> };

/** THE table. Its type demands an entry for every operation; what is not allowed here is denied. */
export const access = {
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
  "estimator/proposal": { callers: "publicOrSession", reach: "none" },
  catalogue: { callers: "publicOrSession", reach: "none" },
  "estimator/price": { callers: "publicOrSession", reach: "none" },
  blogs: { callers: "public", reach: "none" },
  "blogs/{idKey}": { callers: "public", reach: "none" },
  contact: { callers: "public", reach: "none" },
  "logs/categories": { callers: "public", reach: "none" },
  "logs/count": { callers: "public", reach: "none" },
  logs: { callers: "public", reach: "none" },
  "logs/search": { callers: "public", reach: "none" },
  proofs: { callers: "public", reach: "none" },
  "user/get-estimation": { callers: "customers", reach: "organisation" },
  "user/orders": { callers: "customers", reach: "organisation" },
  "user/get-payment-by-email": { callers: "customers", reach: "organisation" },
  "user/get-signed-url": { callers: "customers", reach: "organisation" },
  "user/get-users-dashboard-url": { callers: "customers", reach: "organisation" },
  "user/sessions": { callers: "session", reach: "own" },
  "auth/end-session": { callers: "session", reach: "own" },
  "auth/logout-everywhere": { callers: "session", reach: "own" },
  "user/children": { callers: "mainCustomers", reach: "organisation" },
  "user/create-child-user": { callers: "mainCustomers", reach: "organisation" },
  "people/resend-invitation": { callers: "inviters", reach: "invited" },
  "people/withdraw-invitation": { callers: "inviters", reach: "invited" },
  "partner/get-partner-dashboard": { callers: "partners", reach: "customers" },
  "partner/users": { callers: "partners", reach: "customers" },
  "partner/create-user": { callers: "partners", reach: "customers" },
  "partner/get-user-by-partner-email": { callers: "partners", reach: "customers" },
  "partner/get-payment-details": { callers: "partners", reach: "customers" },
  "partner/create-estimate": { callers: "partners", reach: "customers" },
  "partner/get-estimation": { callers: "partners", reach: "customers" },
  "partner/get-customer-tool": { callers: "partners", reach: "customers" },
  "partner/get-signed-url": { callers: "partners", reach: "customers" },
  "partner/children": { callers: "mainPartners", reach: "organisation" },
  "partner/create-child-user": { callers: "mainPartners", reach: "organisation" },
  "admin/suspend": { callers: "mainAdmins", reach: "any" },
  "admin/restore": { callers: "mainAdmins", reach: "any" },
  "admin/getUserByAdmin": { callers: "admins", reach: "any" },
  "admin/createPartnerByAdmin": { callers: "mainAdmins", reach: "any" },
  "admin/getUserByEmailforAdmin": { callers: "admins", reach: "any" },
  "admin/getUsersByPartnerEmail": { callers: "admins", reach: "any" },
  "admin/getPaymentDetailsByPartnerId": { callers: "admins", reach: "any" },
  "admin/getPaymentDetailsByEmailforAdmin": { callers: "admins", reach: "any" },
  "admin/getPaymentDetailsByStatus": { callers: "admins", reach: "any" },
  "admin/getEstimationByAdmin": { callers: "admins", reach: "any" },
  "admin/getQuoteRates": { callers: "admins", reach: "any" },
  "admin/confirmQuoteRates": { callers: "mainAdmins", reach: "any" },
  "admin/getSignedUrlByAdmin": { callers: "admins", reach: "any" },
  "admin/getChildrenByParentId": { callers: "mainAdmins", reach: "organisation" },
  "admin/createChildUserByAdmin": { callers: "mainAdmins", reach: "organisation" },
  "admin/getcustomertToolByEmailApi": { callers: "admins", reach: "any" },
  "admin/createCustomerToolByEmailApi": { callers: "mainAdmins", reach: "any" },
  "admin/updateCustomerToolSiemByAdmin": { callers: "mainAdmins", reach: "any" },
  "admin/updateCustomerToolSoarByAdmin": { callers: "mainAdmins", reach: "any" },
  "admin/overview": { callers: "admins", reach: "any" },
  "admin/getPartnerDashboardByEmail": { callers: "admins", reach: "any" },
  "admin/rates": { callers: "admins", reach: "any" },
  "admin/rates/card": { callers: "admins", reach: "any" },
  "admin/rates/compare": { callers: "admins", reach: "any" },
  "admin/rates/save-draft": { callers: "mainAdmins", reach: "any" },
  "admin/rates/discard-draft": { callers: "mainAdmins", reach: "any" },
  "admin/rates/publish": { callers: "mainAdmins", reach: "any" },
  "admin/rates/withdraw": { callers: "mainAdmins", reach: "any" },
  "admin/leads": { callers: "admins", reach: "any" },
  "admin/leads/lead": { callers: "admins", reach: "any" },
  "admin/leads/owners": { callers: "admins", reach: "any" },
  // Child accounts only those that they own.
  "admin/leads/update": { callers: "admins", reach: "any" },
  "admin/leads/add-note": { callers: "admins", reach: "any" },
  "admin/leads/join": { callers: "mainAdmins", reach: "any" },
  "admin/leads/separate": { callers: "mainAdmins", reach: "any" },
  "admin/leads/price-quote": { callers: "mainAdmins", reach: "any" },
  "admin/leads/make-quote": { callers: "mainAdmins", reach: "any" },
  "admin/leads/revise-quote": { callers: "mainAdmins", reach: "any" },
  "admin/leads/views": { callers: "admins", reach: "own" },
  "admin/leads/save-view": { callers: "admins", reach: "own" },
  "admin/leads/delete-view": { callers: "admins", reach: "own" },
  "admin/leads/funnel": { callers: "admins", reach: "any" },
  "admin/posts": { callers: "admins", reach: "any" },
  "admin/posts/post": { callers: "admins", reach: "any" },
  "admin/posts/version": { callers: "admins", reach: "any" },
  "admin/posts/words": { callers: "admins", reach: "any" },
  "admin/posts/preview": { callers: "admins", reach: "any" },
  "admin/posts/add": { callers: "mainAdmins", reach: "any" },
  "admin/posts/save": { callers: "mainAdmins", reach: "any" },
  "admin/posts/restore": { callers: "mainAdmins", reach: "any" },
  "admin/posts/publish": { callers: "mainAdmins", reach: "any" },
  "admin/posts/unpublish": { callers: "mainAdmins", reach: "any" },
  "admin/posts/add-image": { callers: "mainAdmins", reach: "any" },
  "admin/settings/proofs": { callers: "admins", reach: "any" },
  "admin/settings/proofs/add": { callers: "mainAdmins", reach: "any" },
  "admin/settings/proofs/change": { callers: "mainAdmins", reach: "any" },
  "admin/settings/proofs/remove": { callers: "mainAdmins", reach: "any" },
  "admin/settings/proofs/order": { callers: "mainAdmins", reach: "any" },
  "admin/settings": { callers: "admins", reach: "any" },
  "admin/settings/history": { callers: "admins", reach: "any" },
  "admin/settings/preview": { callers: "mainAdmins", reach: "any" },
  "admin/settings/save": { callers: "mainAdmins", reach: "any" },
  "admin/settings/restore": { callers: "mainAdmins", reach: "any" },
  "admin/log-sources": { callers: "admins", reach: "any" },
  "admin/log-sources/add": { callers: "mainAdmins", reach: "any" },
  "admin/log-sources/change": { callers: "mainAdmins", reach: "any" },
  "admin/log-sources/retire": { callers: "mainAdmins", reach: "any" },
  "admin/log-sources/preview": { callers: "mainAdmins", reach: "any" },
  "admin/log-sources/import": { callers: "mainAdmins", reach: "any" },
  "admin/tiles": { callers: "admins", reach: "any" },
  "admin/tiles/add": { callers: "mainAdmins", reach: "any" },
  "admin/tiles/change": { callers: "mainAdmins", reach: "any" },
  "admin/tiles/remove": { callers: "mainAdmins", reach: "any" },
  "admin/actions": { callers: "admins", reach: "any" },
  "admin/actions/queues": { callers: "admins", reach: "any" },
  "admin/actions/item": { callers: "admins", reach: "any" },
  "admin/actions/take": { callers: "mainAdmins", reach: "any" },
  "admin/actions/release": { callers: "mainAdmins", reach: "any" },
  "admin/actions/resolve": { callers: "mainAdmins", reach: "any" },
  "admin/actions/retry": { callers: "mainAdmins", reach: "any" },
  "admin/system": { callers: "admins", reach: "any" },
  "admin/system/retry-job": { callers: "mainAdmins", reach: "any" },
  "admin/audit": { callers: "admins", reach: "any" },
  "user/audit": { callers: "customers", reach: "organisation" },
  "partner/audit": { callers: "partners", reach: "organisation" },
} as const satisfies Record<OperationName, Entry>;

/** Whether someone with this role may call the operation; null is a visitor with a public token. */
export function mayCall(name: OperationName, role: Role | null): boolean {
  const { callers } = access[name];
  if (callers === "anyone" || callers === "publicOrSession") return true;
  if (callers === "public") return role === null;
  if (role === null) return false;
  const groups: readonly string[] = groupsOf[role];
  return callers === "session" || groups.includes(callers);
}

/** The roles that may call the operation. */
export const rolesFor = (name: OperationName): Role[] => roles.filter((role) => mayCall(name, role));
