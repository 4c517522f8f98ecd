import type { Context, Hono } from "hono";
import type { EngineKind } from "../../../contract/engine-kinds.ts";
import type { FleetDevice } from "./fleet.ts";
import { tenants } from "./fleet.ts";
import { mountIndexer } from "./wazuh-indexer.ts";
import { isBasic, standInApp, type StandInState } from "./stand-in.ts";

const tokenMs = 900_000;
const badLoginsMax = 5;

/** A manager under /manager and an indexer under /indexer, of Wazuh 4 or 5. */
export function wazuhStandIn(state: StandInState, kind: EngineKind): Hono {
  const app = standInApp(state);
  const isFive = kind === "wazuh5";
  const tokens = new Map<string, number>();
  let badLogins = 0;
  app.post("/manager/security/user/authenticate", (context) => {
    if (state.does("locked out") || badLogins >= badLoginsMax)
      return context.json({ title: "Maximum number of login attempts reached", error: 6000 }, 403);
    if (!isBasic(context)) {
      badLogins++;
      return context.json({ title: "Unauthorized", detail: "Invalid credentials" }, 401);
    }
    badLogins = 0;
    const token = `token-${tokens.size + 1}`;
    tokens.set(token, state.does("expired tokens") ? 1 : state.now().getTime() + tokenMs);
    return context.json({ data: { token }, error: 0 });
  });
  app.use("/manager/*", async (context, next) => {
    const token = context.req.header("Authorization")?.replace("Bearer ", "") ?? "";
    const until = tokens.get(token) ?? 0;
    // An expiring token is valid for the next call only.
    if (until === 1) tokens.set(token, 0);
    if (state.does("refused tokens") || (until !== 1 && until < state.now().getTime()))
      return context.json({ title: "Unauthorized", detail: "Invalid token" }, 401);
    return next();
  });
  app.get("/manager/", (context) =>
    context.json({ data: { title: "Wazuh API REST", api_version: versionOf(state, isFive) }, error: 0 }),
  );
  app.get("/manager/groups", (context) => {
    const names = [tenants.own, "default"].filter((name) => name === context.req.query("groups_list"));
    return context.json(list(names.map((name) => ({ name, count: 40 }))));
  });
  let leavers = 0;
  app.get("/manager/agents", (context) => {
    // After the first page was read, the first agent disappears for good.
    if (state.does("changing pages") && context.req.query("offset") !== "0") leavers = 1;
    return context.json(agents(context, state, isFive, leavers));
  });
  mountIndexer(app, state, isFive);
  return app;
}

function versionOf(state: StandInState, isFive: boolean): string {
  if (state.does("unknown version")) return "6.1.0";
  return isFive ? "v5.0.0" : "4.14.1";
}

const list = (items: object[], total = items.length) => ({
  data: { affected_items: items, total_affected_items: total, total_failed_items: 0, failed_items: [] as object[] },
  message: "All selected information was returned",
  error: 0,
});

function agents(context: Context, state: StandInState, isFive: boolean, leavers: number) {
  const { limit = "500", offset = "0", group, ...query } = context.req.query();
  const { devices } = state.fleet();
  const isAsked = !group || group === tenants.own || state.does("foreign records");
  // Wazuh 4 lists the manager among its agents, and in no group.
  const all = [...(isFive || group ? [] : [null]), ...(isAsked ? devices.slice(leavers) : [])];
  const asked = narrow(all, query, state);
  const page = asked.slice(Number(offset), Number(offset) + Number(limit));
  const answer = list(
    page.map((device) => (device ? agentOf(device, state, isFive) : managersOwn)),
    asked.length,
  );
  if (!state.does("partial answer")) return answer;
  answer.data.affected_items = answer.data.affected_items.slice(0, -2);
  answer.data.failed_items.push({ error: { code: 1701, message: "Agent does not exist" }, id: ["002"] });
  return { ...answer, data: { ...answer.data, total_failed_items: 2 }, error: 2 };
}

/** Null stands for the manager itself. */
type Listed = FleetDevice | null;

/** Filters by state and sorts as asked: by id or by when each was last seen. */
function narrow(all: Listed[], { status, sort = "+id" }: Record<string, string>, state: StandInState): Listed[] {
  const wanted = status?.split(",");
  const shown = wanted
    ? all.filter((each) => wanted.includes(each ? statusOf(each, state) : managersOwn.status))
    : [...all];
  const place = (each: Listed) =>
    sort.endsWith("lastKeepAlive") ? (each ? Number(each.lastSeenAt) : Infinity) : Number(each?.id ?? 0);
  shown.sort((one, other) => place(one) - place(other));
  return sort.startsWith("-") ? shown.toReversed() : shown;
}

function statusOf({ lastSeenAt, isOff }: FleetDevice, state: StandInState): string {
  if (state.does("unknown words")) return "hibernating";
  if (lastSeenAt === null) return "never_connected";
  return isOff ? "disconnected" : "active";
}

const managersOwn = { id: "000", name: "manager", status: "active", lastKeepAlive: "9999-12-31T23:59:59Z" };

function agentOf(device: FleetDevice, state: StandInState, isFive: boolean) {
  const time = (at: Date) =>
    isFive ? at.toISOString().replace(/\.\d+Z$/, "+00:00") : at.toISOString().replace(/\.\d+Z$/, "Z");
  const isSeen = device.lastSeenAt !== null;
  return {
    id: device.id,
    name: device.name,
    ip: device.address,
    registerIP: "any",
    status: statusOf(device, state),
    ...(device.lastSeenAt && !state.does("no keepalive") && { lastKeepAlive: time(device.lastSeenAt) }),
    dateAdd: isSeen ? time(device.firstSeenAt) : "1970-01-01T00:00:00Z",
    group: state.does("foreign records") ? [tenants.other] : ["default", device.group],
    ...(!state.does("missing fields") && {
      os: { name: device.os, platform: "any" },
      version: isFive ? "v5.0.0" : "Wazuh v4.14.1",
    }),
  };
}
