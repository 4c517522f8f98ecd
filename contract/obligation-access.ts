/**
 * Rows of the access table for onboarding and regulators: settings are for main accounts, filings for the customer
 * alone.
 */
export const obligationAccess = {
  "user/onboarding": { callers: "customers", reach: "organisation" },
  "user/onboarding/state": { callers: "customers", reach: "organisation" },
  "user/onboarding/tick": { callers: "customers", reach: "organisation" },
  "user/onboarding/plan": { callers: "customers", reach: "organisation" },
  "user/onboarding/time-zone": { callers: "mainCustomers", reach: "organisation" },
  "user/onboarding/add-site": { callers: "mainCustomers", reach: "organisation" },
  "user/onboarding/remove-site": { callers: "mainCustomers", reach: "organisation" },
  "partner/onboarding": { callers: "partners", reach: "customers" },
  "admin/onboarding": { callers: "admins", reach: "any" },
  "admin/onboarding/tick": { callers: "admins", reach: "any" },
  "admin/onboarding/plan": { callers: "admins", reach: "any" },
  "user/obligations": { callers: "customers", reach: "organisation" },
  "user/obligations/classes": { callers: "mainCustomers", reach: "organisation" },
  "user/incidents/{id}/obligations": { callers: "customers", reach: "organisation" },
  "user/incidents/{id}/facts": { callers: "customers", reach: "organisation" },
  "user/incidents/{id}/draft": { callers: "customers", reach: "organisation" },
  "user/incidents/{id}/filings": { callers: "customers", reach: "organisation" },
  "partner/incidents/{id}/obligations": { callers: "partners", reach: "customers" },
  "admin/incidents/{id}/obligations": { callers: "admins", reach: "any" },
  "admin/incidents/{id}/facts": { callers: "admins", reach: "any" },
  "admin/incidents/{id}/draft": { callers: "admins", reach: "any" },
  "admin/obligations": { callers: "admins", reach: "any" },
  "admin/obligations/history": { callers: "admins", reach: "any" },
  "admin/obligations/post": { callers: "mainAdmins", reach: "any" },
  "admin/obligations/verify": { callers: "mainAdmins", reach: "any" },
} as const;
