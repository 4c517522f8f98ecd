/** The top navigation; Login is shown beside it to who is not signed in. */
export const siteLinks = [
  { to: "/", label: "Home" },
  { to: "/ServiceDelivery", label: "Service Delivery" },
  { to: "/LogInjection", label: "Supported log Types" },
  { to: "/GCPSecurity", label: "Compliance Certifications" },
  { to: "/estimator", label: "Estimator" },
] as const;
