import type { Config } from "@react-router/dev/config";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { leanManifest } from "./scripts/lean-router.ts";

export default {
  appDirectory: "app",
  ssr: true,
  // All routes come with the first page: the site is small, and no request then tells which areas exist.
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
  buildEnd() {
    for (const file of globSync("build/client/assets/manifest-*.js"))
      writeFileSync(file, leanManifest(readFileSync(file, "utf8")));
  },
} satisfies Config;
