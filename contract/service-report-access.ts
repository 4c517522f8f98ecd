/** Rows of the access table for monthly reports and the state of the service. */
export const serviceReportAccess = {
  "user/service": { callers: "customers", reach: "organisation" },
  "user/reports": { callers: "customers", reach: "organisation" },
  "partner/service": { callers: "partners", reach: "customers" },
  "partner/reports": { callers: "partners", reach: "customers" },
  "admin/service": { callers: "admins", reach: "any" },
  "admin/reports": { callers: "admins", reach: "any" },
} as const;
