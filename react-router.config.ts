import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // All routes come with the first page: the site is small, and no request tells which areas exist.
  routeDiscovery: { mode: "initial" },
  prerender: [
    "/",
    "/about",
    "/ServiceDelivery",
    "/GCPSecurity",
    "/privacy-policy",
    "/contact",
    "/estimator",
    "/login",
    "/forgot-password",
    "/reset-password",
    "/accept-invite",
    "/confirm-email",
  ],
} satisfies Config;
