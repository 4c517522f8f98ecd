import type { Hono } from "hono";
import type { FleetFinding, FleetIncident } from "./fleet.ts";
import { tenants } from "./fleet.ts";
import { standInApp, standInLogin, type StandInState } from "./stand-in.ts";

type Element = Record<string, unknown> & { _name: string };
interface Row extends Record<string, unknown> {
  _id: string;
  _createdAt: number;
  _updatedAt?: number;
}

const numbers = { low: 1, medium: 2, high: 3, critical: 4 } as const;
const stages = { open: "New", acknowledged: "InProgress", closed: "Closed" } as const;

/** TheHive 5. */
export function thehiveStandIn(state: StandInState): Hono {
  const app = standInApp(state);
  app.get("/api/v1/status/public", (context) =>
    context.json({ versions: { TheHive: state.does("unknown version") ? "6.0.1" : "5.5.7-1" } }),
  );
  app.use("/api/v1/*", async (context, next) => {
    if (context.req.header("Authorization") !== `Bearer ${standInLogin.secret}` || state.does("refused tokens"))
      return context.json({ type: "AuthenticationError", message: "Authentication failure" }, 401);
    if (context.req.header("X-Organisation") !== tenants.own)
      return context.json({ type: "AuthorizationError", message: "Your are not authorized" }, 403);
    return next();
  });
  app.get("/api/v1/user/current", (context) =>
    context.json({ login: "reader", organisation: tenants.own, organisations: [{ organisation: tenants.own }] }),
  );
  const comments: { _id: string; of: string; message: string }[] = [];
  app.post("/api/v1/case/:id/comment", async (context) => {
    const { message } = await context.req.json<{ message: string }>();
    const comment = { _id: `~c${comments.length}`, of: context.req.param("id"), message };
    comments.push(comment);
    return context.json(comment, 201);
  });
  app.post("/api/v1/query", async (context) => {
    const { query } = await context.req.json<{ query: Element[] }>();
    const [first] = query;
    if (first?.["_name"] === "getCase") return context.json(comments.filter(({ of }) => of === first["idOrName"]));
    const { findings, incidents } = state.fleet();
    const rows = isAskedForCases(query)
      ? incidents.map((each) => caseOf(each, state))
      : findings.map((each) => alertOf(each, state));
    const answer = answerQuery(state.does("duplicates") ? [...rows, ...rows].toReversed() : rows, query);
    return context.json(
      state.does("partial answer") ? { type: "InternalError", message: "Timeout" } : answer,
      state.does("partial answer") ? 207 : 200,
    );
  });
  app.get("/api/v1/case/:id/timeline", (context) => {
    const incident = state.fleet().incidents.find(({ number }) => `~${number}` === context.req.param("id"));
    const events = incident ? [{ date: incident.openedAt.getTime(), kind: "Case", entity: "created" }] : [];
    return context.json({ events });
  });
  return app;
}

const isAskedForCases = ([first]: Element[]) => Object.values(first ?? {}).includes("listCase");

function answerQuery(rows: Row[], query: Element[]): Row[] {
  const find = (name: string) => query.find(({ _name }) => _name === name);
  const { _field: field, _value: from } = (find("filter")?.["_gte"] ?? {}) as { _field: keyof Row; _value: number };
  const page = find("page") as { from: number; to: number } | undefined;
  const not = query.flatMap(({ _ne }) => (_ne ? [_ne as { _field: string; _value: unknown }] : []));
  const since = rows
    .filter((row) => Number(row[field] ?? -1) >= from)
    .filter((row) => not.every(({ _field, _value }) => row[_field] !== _value));
  const sorted = since.toSorted((one, other) => Number(one[field]) - Number(other[field]));
  return sorted.slice(page?.from ?? 0, page?.to ?? 50);
}

const severityOf = (severity: keyof typeof numbers, state: StandInState) =>
  state.does("unknown words")
    ? { severity: 9, severityLabel: "APOCALYPTIC" }
    : { severity: numbers[severity], severityLabel: severity.toUpperCase() };

function alertOf({ number, title, severity, at, state: worked }: FleetFinding, state: StandInState): Row {
  const created = at.getTime();
  return {
    _id: `~${number}`,
    _createdAt: created,
    ...(worked !== "open" && { _updatedAt: created + 240_000, inProgressDate: created + 240_000 }),
    ...(!state.does("missing fields") && { title, status: stages[worked], stage: stageOf(stages[worked], state) }),
    type: "sample",
    source: "sample",
    sourceRef: String(number),
    ...severityOf(severity, state),
    date: created,
  };
}

const stageOf = (stage: string, state: StandInState) => (state.does("unknown words") ? "Dreaming" : stage);

function caseOf(incident: FleetIncident, state: StandInState): Row {
  const { number, title, severity, openedAt, firstResponseAt, closedAt, isFalseAlarm } = incident;
  const opened = openedAt.getTime();
  const closed = isFalseAlarm ? "FalsePositive" : "TruePositive";
  return {
    _id: `~${number}`,
    number,
    _createdAt: opened,
    // Closed cases were just updated, so that a first poll includes them; the open one was not.
    ...(closedAt && { _updatedAt: state.now().getTime() - 60_000 + number }),
    ...(!state.does("missing fields") && { title, status: closedAt ? closed : "InProgress" }),
    stage: stageOf(closedAt ? "Closed" : "InProgress", state),
    ...severityOf(severity, state),
    startDate: opened,
    ...(closedAt && { endDate: closedAt.getTime(), timeToResolve: closedAt.getTime() - opened }),
    ...(firstResponseAt && { timeToAcknowledge: firstResponseAt.getTime() - opened }),
  };
}
