/**
 * Rows of the access table for engines and coverage: everybody at a customer may read; only main administrators change
 * rules.
 */
export const coverageAccess = {
  "user/coverage": { callers: "customers", reach: "organisation" },
  "user/coverage/days": { callers: "customers", reach: "organisation" },
  "user/coverage/devices": { callers: "customers", reach: "organisation" },
  "partner/coverage/customers": { callers: "partners", reach: "customers" },
  "partner/coverage": { callers: "partners", reach: "customers" },
  "partner/coverage/days": { callers: "partners", reach: "customers" },
  "partner/coverage/devices": { callers: "partners", reach: "customers" },
  "admin/coverage/customers": { callers: "admins", reach: "any" },
  "admin/coverage": { callers: "admins", reach: "any" },
  "admin/coverage/days": { callers: "admins", reach: "any" },
  "admin/coverage/devices": { callers: "admins", reach: "any" },
  "admin/coverage/rules": { callers: "admins", reach: "any" },
  "admin/coverage/rules/save": { callers: "mainAdmins", reach: "any" },
  "admin/coverage/rules/remove": { callers: "mainAdmins", reach: "any" },
  "admin/coverage/limits/save": { callers: "mainAdmins", reach: "any" },
  "admin/coverage/devices/decide": { callers: "mainAdmins", reach: "any" },
  "admin/engines": { callers: "admins", reach: "any" },
  "admin/engines/all": { callers: "admins", reach: "any" },
  "admin/engines/post": { callers: "mainAdmins", reach: "any" },
  "admin/engines/test": { callers: "mainAdmins", reach: "any" },
  "admin/engines/remove": { callers: "mainAdmins", reach: "any" },
} as const;
