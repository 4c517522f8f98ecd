import { type Context, Hono } from "hono";
import type { EngineKind } from "../../../contract/engine-kinds.ts";
import { type Fleet, type FleetDevice, sampleFleet } from "./fleet.ts";

/** The ways in which a stand-in can misbehave, as real engines do. */
const misbehaviours = [
  "expired tokens",
  "refused tokens",
  "locked out",
  "no keepalive",
  "busy until",
  "busy",
  "partial answer",
  "duplicates",
  "clock ahead",
  "clock behind",
  "renumbered severities",
  "unknown words",
  "missing fields",
  "swapped places",
  "foreign records",
  "changing pages",
  "clock lost",
  "huge body",
  "many parts",
  "slow",
  "hang",
  "unknown version",
  "redirect",
  "no JSON",
  "down",
  "forbidden",
  "no index",
] as const;
export type Misbehaviour = (typeof misbehaviours)[number];

/** An engine that answers from a fleet, in the real engine's format. */
export interface StandIn {
  app: Hono;
  /** How it misbehaves from now on; null for not at all. */
  misbehave(how: Misbehaviour | null): void;
  /** Stops the log source of a device while its agent stays alive. */
  silence(deviceId: string, since: Date): void;
  /** Changes one device from now on; null removes it. */
  change(deviceId: string, to: Partial<FleetDevice> | null): void;
  /** The number of calls by path. */
  calls: Map<string, number>;
}

/** What a stand-in's answers are made from. */
export interface StandInState {
  does(how: Misbehaviour): boolean;
  fleet(): Fleet;
  now(): Date;
  calls: Map<string, number>;
}

/** The login of the stand-ins; published, like everything in the demo. */
export const standInLogin = { username: "prahari-reader", secret: "sample secret of the stand-in" };

/** Whether a call comes with the published user name and secret. */
export const isBasic = (context: Context) =>
  context.req.header("Authorization") ===
  `Basic ${Buffer.from(`${standInLogin.username}:${standInLogin.secret}`).toString("base64")}`;

export function openState(options: { size?: number; now?: () => Date } = {}) {
  let wrong: Misbehaviour | null = null;
  const changed = new Map<string, Partial<FleetDevice> | null>();
  let made: { second: number; fleet: Fleet } | null = null;
  const clock = options.now ?? (() => new Date());
  const skews: Partial<Record<Misbehaviour, number>> = {
    "clock ahead": 600_000,
    "clock behind": -600_000,
    "clock lost": -3 * 86_400_000,
  };
  const skewMs = () => (wrong && skews[wrong]) ?? 0;
  const state: StandInState = {
    calls: new Map(),
    does: (how) => wrong === how,
    now: () => new Date(clock().getTime() + skewMs()),
    fleet() {
      const second = Math.floor(state.now().getTime() / 1000);
      if (made?.second !== second) made = { second, fleet: sampleFleet(state.now(), options.size) };
      if (changed.size === 0) return made.fleet;
      const devices = made.fleet.devices.flatMap((device) => {
        const to = changed.get(device.id);
        return to === null ? [] : [{ ...device, ...to }];
      });
      return { ...made.fleet, devices };
    },
  };
  return {
    state,
    misbehave: (how: Misbehaviour | null) => void (wrong = how),
    change: (deviceId: string, to: Partial<FleetDevice> | null) => void changed.set(deviceId, to),
  };
}

/** Adds the failures that occur before an engine has read the request. */
export function standInApp(state: StandInState): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    state.calls.set(context.req.path, (state.calls.get(context.req.path) ?? 0) + 1);
    const answer = await failingAnswer(context, state);
    if (answer) context.res = answer;
    else await next();
    context.res.headers.set("Date", state.now().toUTCString());
  });
  return app;
}

async function failingAnswer(context: Context, { does }: StandInState): Promise<Response | null> {
  if (does("hang")) return new Promise(() => {});
  if (does("slow")) await new Promise((later) => setTimeout(later, slowMs));
  if (does("many parts")) return new Response("[".repeat(400_000));
  if (does("busy until")) return context.json({ title: "Too many requests" }, 429, { "Retry-After": "120" });
  if (does("busy")) return context.json({ title: "Too many requests" }, 429);
  if (does("down")) return context.text("upstream", 503);
  if (does("forbidden")) return context.json({ title: "Permission denied" }, 403);
  if (does("redirect")) return context.redirect("http://169.254.169.254/latest/meta-data/");
  if (does("no JSON")) return context.html("<title>Welcome to nginx!</title>");
  if (does("huge body")) return new Response(hugeBody());
  return null;
}

const slowMs = 300;

function hugeBody(): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(1_000_000).fill(32);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ >= 50) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

/** Makes the stand-in of a kind; a misbehaviour that it does not handle leaves its answers unchanged. */
export type Maker = (state: StandInState, kind: EngineKind) => Hono;
