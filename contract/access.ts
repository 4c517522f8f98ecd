import { coverageAccess } from "./coverage-access.ts";
import { incidentAccess } from "./incident-access.ts";
import { moneyAccess } from "./money-access.ts";
import { noticeAccess } from "./notice-access.ts";
import { obligationAccess } from "./obligation-access.ts";
import type { OperationName } from "./operations.ts";
import { type Group, groupsOf } from "./role-groups.ts";
import { type Role, roles } from "./roles.ts";
import { serviceReportAccess } from "./service-report-access.ts";

/** Who may call an operation. anyone: no token. public: a public token. publicOrSession: either. */
type Visitors = "anyone" | "public" | "publicOrSession";
/** session: any role. Otherwise the roles of a group. */
type SignedIn = "session" | Group;

/**
 * Whose records an operation may touch: `customers` means those of the organisation's customers, `invited` the
 * invitations that the organisation may send.
 */
export type Reach = "none" | "own" | "organisation" | "customers" | "invited" | "any";

type Entry = { callers: Visitors; reach: "none" } | { callers: SignedIn; reach: Exclude<Reach, "none"> };

/** The single access table. Its type demands an entry for every operation; anything it does not allow is denied. */
export const access = {
  ...moneyAccess,
  "generate-token": { callers: "anyone", reach: "none" },
  "auth/register": { callers: "public", reach: "none" },
  "auth/login": { callers: "public", reach: "none" },
  "auth/verify-otp": { callers: "public", reach: "none" },
  "auth/forgot-password": { callers: "public", reach: "none" },
  "auth/reset-password": { callers: "public", reach: "none" },
  "auth/invitation": { callers: "public", reach: "none" },
  "auth/accept-invite": { callers: "public", reach: "none" },
  "auth/confirm-email": { callers: "public", reach: "none" },
  "auth/logout": { callers: "session", reach: "own" },
  "auth/change-password": { callers: "session", reach: "own" },
  "user/me": { callers: "session", reach: "own" },
  estimator: { callers: "publicOrSession", reach: "none" },
  // Visitors have no account: the token returned with their own estimate identifies the proposal.
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
  "user/quotes/terms": { callers: "customers", reach: "organisation" },
  "user/quotes/mail-code": { callers: "customers", reach: "organisation" },
  "user/quotes/accept": { callers: "customers", reach: "organisation" },
  "user/quotes/decline": { callers: "customers", reach: "organisation" },
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
  "partner/create-estimate": { callers: "partners", reach: "customers" },
  "partner/get-estimation": { callers: "partners", reach: "customers" },
  "partner/get-customer-tool": { callers: "partners", reach: "customers" },
  "partner/get-signed-url": { callers: "partners", reach: "customers" },
  "partner/children": { callers: "mainPartners", reach: "organisation" },
  "partner/create-child-user": { callers: "mainPartners", reach: "organisation" },
  "admin/suspend": { callers: "mainAdmins", reach: "any" },
  "admin/restore": { callers: "mainAdmins", reach: "any" },
  "admin/people": { callers: "admins", reach: "any" },
  "admin/people/organization": { callers: "admins", reach: "any" },
  "admin/people/change": { callers: "mainAdmins", reach: "any" },
  "admin/people/change-organization": { callers: "mainAdmins", reach: "any" },
  "admin/people/correct-email": { callers: "mainAdmins", reach: "any" },
  "admin/people/keep-email": { callers: "mainAdmins", reach: "any" },
  "admin/people/change-role": { callers: "mainAdmins", reach: "any" },
  "admin/people/move-customer": { callers: "mainAdmins", reach: "any" },
  "admin/people/invitations": { callers: "admins", reach: "any" },
  "admin/people/sessions": { callers: "admins", reach: "any" },
  "admin/people/end-sessions": { callers: "mainAdmins", reach: "any" },
  "admin/people/merge-preview": { callers: "admins", reach: "any" },
  "admin/people/merge": { callers: "mainAdmins", reach: "any" },
  // Child accounts see that a data request exists; the file with everything about a person is for main accounts only.
  "admin/people/data-requests": { callers: "admins", reach: "any" },
  "admin/people/request-data": { callers: "mainAdmins", reach: "any" },
  "admin/people/data-file": { callers: "mainAdmins", reach: "any" },
  "admin/getUserByAdmin": { callers: "admins", reach: "any" },
  "admin/createPartnerByAdmin": { callers: "mainAdmins", reach: "any" },
  "admin/getUserByEmailforAdmin": { callers: "admins", reach: "any" },
  "admin/getUsersByPartnerEmail": { callers: "admins", reach: "any" },
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
  // Child accounts only for the leads that they own.
  "admin/leads/update": { callers: "admins", reach: "any" },
  "admin/leads/add-note": { callers: "admins", reach: "any" },
  "admin/leads/hand-over": { callers: "mainAdmins", reach: "any" },
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
  "admin/posts/remove": { callers: "mainAdmins", reach: "any" },
  "admin/posts/add-image": { callers: "mainAdmins", reach: "any" },
  "admin/posts/add-text-image": { callers: "mainAdmins", reach: "any" },
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
  ...coverageAccess,
  ...incidentAccess,
  ...obligationAccess,
  ...serviceReportAccess,
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
  ...noticeAccess,
  "admin/announcements": { callers: "admins", reach: "any" },
  "admin/announcements/preview": { callers: "mainAdmins", reach: "any" },
  "admin/announcements/add": { callers: "mainAdmins", reach: "any" },
  "admin/announcements/change": { callers: "mainAdmins", reach: "any" },
  "admin/announcements/withdraw": { callers: "mainAdmins", reach: "any" },
  "user/find": { callers: "customers", reach: "organisation" },
  "partner/find": { callers: "partners", reach: "customers" },
  "admin/find": { callers: "admins", reach: "any" },
} as const satisfies Record<OperationName, Entry>;

/** Whether someone with this role may call the operation; null is a visitor with a public token. */
export function mayCall(name: OperationName, role: Role | null): boolean {
  const { callers } = access[name];
  if (callers === "anyone" || callers === "publicOrSession") return true;
  if (callers === "public") return role === null;
  if (role === null) return false;
  return callers === "session" || groupsOf[role].some((group) => group === callers);
}

/** The roles that may call the operation. */
export const rolesFor = (name: OperationName): Role[] => roles.filter((role) => mayCall(name, role));
