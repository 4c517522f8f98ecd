/** The top navigation; signed-out visitors also see Login beside it. */
export const siteLinks = [
  { to: "/", label: "Home" },
  { to: "/ServiceDelivery", label: "Service Delivery" },
  { to: "/LogInjection", label: "Supported log Types" },
  { to: "/GCPSecurity", label: "Compliance Certifications" },
  { to: "/estimator", label: "Estimator" },
] as const;
