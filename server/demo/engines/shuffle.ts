import type { Hono } from "hono";
import type { FleetFinding } from "./fleet.ts";
import { tenants } from "./fleet.ts";
import { standInApp, standInLogin, type StandInState } from "./stand-in.ts";

/** Ids that can be recognised as samples. */
export const shuffleOrganisations = {
  [tenants.own]: "00000000-5a3b-4000-8000-000000000001",
  [tenants.other]: "00000000-5a3b-4000-8000-000000000002",
} as const;

export function shuffleStandIn(state: StandInState): Hono {
  const app = standInApp(state);
  app.use(async (context, next) =>
    context.req.header("Authorization") === `Bearer ${standInLogin.secret}` && !state.does("refused tokens")
      ? next()
      : context.json({ success: false }, 401),
  );
  app.get("/api/v1/notifications", (context) => {
    if (context.req.header("Org-Id") !== shuffleOrganisations[tenants.own])
      return context.json({ success: false, reason: "Organization doesn't exist" });
    const found = state.fleet().findings.map((each) => notificationOf(each, state));
    return context.json({
      success: true,
      notifications: state.does("duplicates") ? [...found, ...found].toReversed() : found,
    });
  });
  app.post("/api/v1/orgs/sso/link", async (context) => {
    const { email } = await context.req.json<{ email: string }>();
    return context.json({
      success: true,
      sso_url: `https://shuffle.demo.example/sso?for=${encodeURIComponent(email)}`,
    });
  });
  return app;
}

const notificationOf = ({ number, title, severity, state: worked, at }: FleetFinding, state: StandInState) => ({
  id: `sample-${number}`,
  ...(!state.does("missing fields") && { title, read: worked === "closed" }),
  created_at: at.getTime() / 1000,
  severity: state.does("unknown words") ? "APOCALYPTIC" : severity.toUpperCase(),
  org_id: shuffleOrganisations[state.does("foreign records") ? tenants.other : tenants.own],
});
