/** The top navigation; Login is shown beside it to who is not signed in. */
export const siteLinks = [
  { to: "/", label: "Home" },
  { to: "/estimator", label: "Estimator" },
] as const;
