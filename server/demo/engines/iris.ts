import type { Hono } from "hono";
import type { FleetFinding, FleetIncident } from "./fleet.ts";
import { tenants } from "./fleet.ts";
import { standInApp, standInLogin, type StandInState } from "./stand-in.ts";

const customers = { [tenants.own]: 7, [tenants.other]: 8 } as const;

/** Two installations that use the same words with different numbers. */
const numbering = {
  usual: { Unspecified: 1, Informational: 2, Low: 3, Medium: 4, High: 5, Critical: 6 },
  other: { Medium: 1, Unspecified: 2, Informational: 3, Low: 4, High: 5, Critical: 6 },
} as const;

const words = { critical: "Critical", high: "High", medium: "Medium", low: "Low" } as const;
const states = { open: "New", acknowledged: "In progress", closed: "Closed" } as const;

/** DFIR-IRIS 2.4. */
export function irisStandIn(state: StandInState): Hono {
  const app = standInApp(state);
  const told = (data: unknown) => ({ status: "success", message: "", data });
  app.use(async (context, next) => {
    if (context.req.header("Authorization") !== `Bearer ${standInLogin.secret}` || state.does("refused tokens"))
      return context.json({ status: "error", message: "Authentication required", data: [] }, 401);
    return next();
  });
  app.get("/api/versions", (context) =>
    context.json(told({ iris_current: state.does("unknown version") ? "v3.0.0" : "v2.4.22", api_current: "2.0.4" })),
  );
  app.get("/manage/customers/list", (context) =>
    context.json(told([{ customer_id: customers[tenants.own], customer_name: tenants.own }])),
  );
  app.get("/manage/severities/list", (context) =>
    context.json(
      told(Object.entries(numbersOf(state)).map(([severity_name, severity_id]) => ({ severity_id, severity_name }))),
    ),
  );
  app.get("/alerts/filter", (context) => {
    const { page = "1", per_page: size = "10", alert_ids: ids } = context.req.query();
    const wanted = ids ? new Set(ids.split(",")) : null;
    const all = state
      .fleet()
      .findings.toReversed()
      .filter(({ number }) => !wanted || wanted.has(String(number)));
    const start = (Number(page) - 1) * Number(size) - (state.does("changing pages") && page !== "1" ? 1 : 0);
    const shown = all.slice(start, start + Number(size));
    const alerts = (state.does("duplicates") ? [...shown, ...shown] : shown).map((each) => alertOf(each, state));
    return context.json(told({ total: all.length, alerts }));
  });
  app.get("/manage/cases/filter", (context) => {
    const cases = state.fleet().incidents.map((each) => caseOf(each, state));
    const answer = told({ cases });
    return context.json(state.does("swapped places") ? { ...answer, message: { cases }, data: {} } : answer);
  });
  const written: { cid: string; event_id: number; event_title: string; event_date: string; event_tags: string }[] = [];
  app.get("/case/timeline/events/list", (context) => {
    const incident = state.fleet().incidents.find(({ number }) => String(number) === context.req.query("cid"));
    const timeline = incident
      ? [{ event_id: 1, event_title: "Detected", event_date: naive(incident.openedAt), category_name: "Detection" }]
      : [];
    const added = written.filter(({ cid }) => cid === context.req.query("cid")).map(({ cid: _cid, ...event }) => event);
    return context.json(told({ timeline: [...timeline, ...added] }));
  });
  app.post("/case/timeline/events/add", async (context) => {
    const cid = context.req.query("cid") ?? "";
    const event = await context.req.json<{ event_title: string; event_date: string; event_tags: string }>();
    written.push({ cid, event_id: written.length + 2, ...event });
    return context.json(told({ event_id: written.length + 1 }));
  });
  return app;
}

const numbersOf = (state: StandInState) => numbering[state.does("renumbered severities") ? "other" : "usual"];

/** Times without a zone, as IRIS writes them. */
const naive = (at: Date) => at.toISOString().replace("Z", "000");

const whoseNumber = (state: StandInState) => customers[state.does("foreign records") ? tenants.other : tenants.own];

function severityOf(severity: keyof typeof words, state: StandInState) {
  if (state.does("unknown words"))
    return { alert_severity_id: 99, severity: { severity_id: 99, severity_name: "Apocalyptic" } };
  const id = numbersOf(state)[words[severity]];
  // In the renumbered installation the record has only the number.
  if (state.does("renumbered severities")) return { alert_severity_id: id, severity_id: id };
  return { alert_severity_id: id, severity: { severity_id: id, severity_name: words[severity] } };
}

function alertOf({ number, title, severity, at, state: worked }: FleetFinding, state: StandInState) {
  const status = state.does("unknown words") ? "Dreaming" : states[worked];
  const seconds = (at.getTime() / 1000).toFixed(6);
  const acted =
    worked === "open" ? {} : { [String(Number(seconds) + 240)]: { user: "analyst", action: "Alert updated" } };
  return {
    alert_id: number,
    ...(!state.does("missing fields") && { alert_title: title, status: { status_id: 2, status_name: status } }),
    alert_creation_time: naive(at),
    alert_source_event_time: naive(at),
    ...severityOf(severity, state),
    alert_customer_id: whoseNumber(state),
    customer: { customer_id: whoseNumber(state) },
    modification_history: { [seconds]: { user: "sensor", action: "Alert created" }, ...acted },
  };
}

function caseOf({ number, title, severity, openedAt, closedAt, isFalseAlarm }: FleetIncident, state: StandInState) {
  const open = state.does("unknown words") ? "Dreaming" : "In progress";
  return {
    case_id: number,
    ...(!state.does("missing fields") && { name: `#${number} - ${title}` }),
    client: { customer_id: whoseNumber(state), customer_name: tenants.own },
    ...severityOf(severity, state),
    state: { state_name: closedAt ? "Closed" : open },
    status_id: closedAt ? (isFalseAlarm ? 1 : 2) : 0,
    open_date: openedAt.toISOString().slice(0, 10),
    initial_date: naive(openedAt),
    close_date: closedAt ? closedAt.toISOString().slice(0, 10) : null,
  };
}
