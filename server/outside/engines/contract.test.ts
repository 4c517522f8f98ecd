import { createAdaptorServer } from "@hono/node-server";
import { randomUUID } from "node:crypto";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type EngineKind, engineKindNames, type EngineProblem } from "../../../contract/engine-kinds.ts";
import { certifiedServer } from "../../../tests/certified-server.ts";
import { tenants } from "../../demo/engines/fleet.ts";
import type { Misbehaviour } from "../../demo/engines/stand-in.ts";
import { type Search, searchDocuments } from "../../demo/engines/search-documents.ts";
import { openStandIn, standInBinding } from "../../demo/engines/stand-ins.ts";
import {
  type Binding,
  type Device,
  type Engine,
  type Finding,
  type Incident,
  lastEventsMinutesMax,
  type Unnamed,
} from "./engine.ts";
import { EngineFailure } from "./engine-failure.ts";
import { openEngines } from "./engines.ts";
import type { Indexer } from "./wazuh/indexer.ts";
import { walkDocuments } from "./wazuh/walk-documents.ts";

/* What every adapter has to do, with the stand-in of its engine and each of its misbehaviours. If ENGINE_UNDER_TEST
   holds the binding of a real engine in JSON, the first part runs against that one too. */

const limits = { answerMs: 5000, answerBytesMax: 1_000_000 };

interface Standing {
  size?: number;
  now?: () => Date;
  /** With a certificate for engine.example. */
  tls?: { createServer: typeof createHttps; serverOptions: { key: string; cert: string } };
}

/** A stand-in; `instead` replaces some of its answers. */
async function standIn(
  kind: EngineKind,
  { tls, ...options }: Standing = {},
  instead: (url: URL, asked: Request) => object | undefined | Promise<object | undefined> = () => undefined,
) {
  // Its fleet changes each second, so two calls are compared at the same instant.
  const openedAt = new Date();
  const opened = openStandIn(kind, { now: () => openedAt, ...options });
  const answer = async (request: Request) => {
    const other = await instead(new URL(request.url), request.clone());
    if (other instanceof Response) return other;
    return other ? Response.json(other) : opened.app.fetch(request);
  };
  const server = createAdaptorServer({ fetch: answer, ...tls });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(
    () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const binding = standInBinding(kind, tls ? `https://engine.example:${port}` : `http://127.0.0.1:${port}`);
  return { ...opened, binding, engine: openFor(binding) };
}

function openFor(binding: Binding, answerMs = limits.answerMs, now = () => new Date()): Engine {
  const engine = openEngines({ allowPrivate: true }, { ...limits, answerMs, now }).open(binding);
  onTestFinished(() => engine.close());
  return engine;
}

interface Answers {
  devices: Device[] | null;
  unnamed: Unnamed["are"] | null;
  findings: Finding[] | null;
  incidents: Incident[] | null;
  unreadable: number;
}

/** Everything that an engine reports, each record once, in its latest form. */
async function askAll({ inventory, reports }: Engine): Promise<Answers> {
  const since = { cursor: null, open: async () => [] };
  let unreadable = 0;
  const devices = new Map<string, Device>();
  let unnamed: Unnamed["are"] | null = null;
  if (inventory) {
    const pages = inventory.devices(null);
    for (let page = await pages.next(); ; page = await pages.next()) {
      if (page.done) {
        unnamed = page.value.are;
        break;
      }
      unreadable += page.value.unreadable;
      for (const each of page.value.items) devices.set(each.id, each);
    }
  }
  const last = async <Item extends { id: string }>(batches: AsyncIterable<{ items: Item[]; unreadable: number }>) => {
    const known = new Map<string, Item>();
    for await (const batch of batches) {
      unreadable += batch.unreadable;
      for (const item of batch.items) known.set(item.id, item);
    }
    return [...known.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  };
  return {
    devices: inventory && [...devices.values()],
    unnamed,
    findings: reports.findings && (await last(reports.findings(since))),
    incidents: reports.incidents && (await last(reports.incidents(since))),
    unreadable,
  };
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    return error instanceof EngineFailure ? error.problem : String(error);
  }
}

const isWazuh = (kind: EngineKind) => kind === "wazuh4" || kind === "wazuh5";

describe.each(engineKindNames)("An engine of the kind %s", (kind) => {
  it("says who it is, what it found, and when", async () => {
    const { engine } = await standIn(kind);
    const { version, skewSeconds } = await engine.probe();
    expect(version === null).toBe(kind === "shuffle");
    expect(Math.abs(skewSeconds ?? 99)).toBeLessThanOrEqual(2);
    const answers = await askAll(engine);
    expect(answers.unreadable).toBe(0);
    expect(answers.findings).toHaveLength(60);
    expect(new Set(answers.findings?.map(({ severity }) => severity))).not.toContain("unknown");
    expect(answers.devices?.length ?? null).toBe(isWazuh(kind) ? 40 : null);
    expect(answers.incidents?.length ?? null).toBe(kind === "iris" || kind === "thehive" ? 3 : null);
  });

  it("goes on from its cursor, and tells nothing of before but what may have come late", async () => {
    const { engine } = await standIn(kind);
    let cursor: string | null = null;
    for await (const batch of engine.reports.findings?.({ cursor, open: async () => [] }) ?? []) cursor = batch.cursor;
    let told = 0;
    for await (const batch of engine.reports.findings?.({ cursor, open: async () => [] }) ?? [])
      told += batch.items.length;
    // Shuffle can't filter by time and reports everything that it stores. IRIS reports whole pages.
    expect(told).toBeLessThanOrEqual(kind === "shuffle" || kind === "iris" ? 60 : kind === "thehive" ? 3 : 2);
  });

  const failing: [Misbehaviour, EngineProblem][] = [
    ["busy", "busy"],
    ["busy until", "busy"],
    ["huge body", "too_large"],
    ["many parts", "too_large"],
    ["clock lost", "answer"],
    ["hang", "too_slow"],
    ["redirect", "address"],
    ["no JSON", "answer"],
    ["down", "down"],
    ["forbidden", "permission"],
    ["refused tokens", "login"],
    ["unknown version", "version"],
  ];
  it.each(failing)("that shows “%s” has no answer, for the reason %s, and never an empty one", async (how, problem) => {
    // Shuffle never states its version.
    if (how === "unknown version" && kind === "shuffle") return;
    const { binding, misbehave } = await standIn(kind);
    const engine = openFor(binding, how === "hang" ? 100 : limits.answerMs);
    misbehave(how);
    // The first call to be refused is the login.
    const expected = isWazuh(kind) && (problem === "permission" || problem === "busy") ? "login" : problem;
    expect([how, await problemOf(engine.probe()), await problemOf(askAll(engine))]).toEqual([how, expected, expected]);
  });

  it.each<Misbehaviour>(["expired tokens", "duplicates", "swapped places", "renumbered severities", "changing pages"])(
    "that shows “%s” tells the same as ever",
    async (how) => {
      const now = () => noon;
      const noon = new Date(Math.floor(Date.now() / 60_000) * 60_000);
      const calm = await askAll((await standIn(kind, { now })).engine);
      const { engine, misbehave } = await standIn(kind, { now });
      misbehave(how);
      expect(await askAll(engine)).toEqual(calm);
    },
  );

  it("whose words are not known is of unknown severity and state, and its records are still there", async () => {
    const { engine, misbehave } = await standIn(kind);
    misbehave("unknown words");
    const { findings, incidents, devices } = await askAll(engine);
    expect(findings).toHaveLength(60);
    expect(new Set(findings?.map(({ severity }) => severity))).toEqual(new Set(["unknown"]));
    const states = new Set(findings?.map(({ state }) => state));
    // An alert of Wazuh 4 has no state, and a notification of Shuffle has a yes or no.
    const known: Partial<Record<EngineKind, string[]>> = { wazuh4: ["open"], shuffle: ["open", "closed"] };
    expect(states).toEqual(new Set(known[kind] ?? ["unknown"]));
    expect((devices ?? []).filter(({ state }) => state !== "unknown")).toEqual([]);
    for (const { severity, state } of incidents ?? [])
      expect([severity, state === "closed" ? "unknown" : state]).toEqual(["unknown", "unknown"]);
  });

  it("whose records lack fields is read all the same, and what is missing is unknown", async () => {
    const { engine, misbehave } = await standIn(kind);
    misbehave("missing fields");
    const { findings, devices } = await askAll(engine);
    expect(findings).toHaveLength(60);
    expect(findings?.every(({ title }) => /without/.test(title))).toBe(true);
    // Other fields are missing in Wazuh here.
    expect((isWazuh(kind) ? [] : findings)?.filter(({ state }) => state !== "unknown")).toEqual([]);
    expect((devices ?? []).filter(({ os, version }) => os !== null || version !== null)).toEqual([]);
  });

  it.each([
    ["clock ahead", 600],
    ["clock behind", -600],
  ] as const)("whose clock is wrong, as in “%s”, says by how much", async (how, seconds) => {
    const { engine, misbehave } = await standIn(kind);
    misbehave(how);
    const { skewSeconds } = await engine.probe();
    expect(Math.abs((skewSeconds ?? 0) - seconds)).toBeLessThanOrEqual(2);
  });

  it("refuses a customer that its login does not belong to", async () => {
    const { binding } = await standIn(kind);
    const engine = openFor({ ...binding, tenantKey: tenants.other });
    expect(await problemOf(engine.probe())).toBe(kind === "thehive" ? "permission" : "tenant");
  });

  it("is not waited for beyond the deadline of whoever asks, however patient each call is", async () => {
    const { binding, misbehave } = await standIn(kind);
    misbehave("slow");
    const engine = openEngines({ allowPrivate: true }, limits).open(binding, AbortSignal.timeout(200));
    onTestFinished(() => engine.close());
    expect(await problemOf(askAll(engine))).toBe("too_slow");
  });

  it("whose authority nobody knows is not asked, and is once its certificate is entered", async () => {
    const { key, certificate, authority } = await certifiedServer("engine.example");
    const tls = { createServer: createHttps, serverOptions: { key, cert: certificate } };
    const { binding, calls } = await standIn(kind, { tls });
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const probe = (caCertificate: string | null) => {
      const engine = openEngines({ allowPrivate: true }, { ...limits, resolve }).open({ ...binding, caCertificate });
      onTestFinished(() => engine.close());
      return problemOf(engine.probe());
    };
    expect([await probe(null), calls.size]).toEqual(["certificate", 0]);
    expect(await probe(authority)).toBe("none");
  });

  it("refuses a wrong secret", async () => {
    const { binding } = await standIn(kind);
    expect(await problemOf(openFor({ ...binding, secret: "wrong" }).probe())).toBe("login");
  });
});

describe.each<EngineKind>(["iris", "thehive"])("Cases of %s", (kind) => {
  it("are told few timelines at a time, and gone on from there, so that a slow engine's are stored as they come", async () => {
    const { engine, calls } = await standIn(kind, { size: 400 });
    const asked = () => [...calls].reduce((sum, [path, count]) => sum + (path.includes("timeline") ? count : 0), 0);
    const told = new Set<string>();
    let before = 0;
    let middle: string | null = null;
    for await (const { items, cursor } of engine.reports.incidents?.({ cursor: null, open: async () => [] }) ?? []) {
      expect(asked() - before).toBeLessThanOrEqual(5);
      before = asked();
      if (told.size < 10) for (const { id } of items) told.add(id);
      if (told.size >= 10) middle ??= cursor;
    }
    for await (const { items } of engine.reports.incidents?.({ cursor: middle, open: async () => [] }) ?? [])
      for (const { id } of items) told.add(id);
    expect(told.size).toBe(30);
  });
});

it.each<EngineKind>(["iris", "thehive"])(
  "Of a long timeline of a case of %s what happened last is told",
  async (kind) => {
    const began = Date.parse("2026-11-20T10:00:00Z");
    const events = Array.from({ length: 260 }, (_, index) => ({ index, at: began + index * 60_000 }));
    const timelines: Partial<Record<EngineKind, object>> = {
      iris: {
        data: {
          timeline: events.map(({ index, at }) => ({
            event_date: new Date(at).toISOString().replace("Z", ""),
            event_title: `event ${index}`,
          })),
        },
      },
      thehive: { events: events.map(({ index, at }) => ({ date: at, kind: "Alert", entity: `event ${index}` })) },
    };
    const { engine } = await standIn(kind, {}, ({ pathname }) =>
      pathname.includes("timeline") ? timelines[kind] : undefined,
    );
    const told = (await askAll(engine)).incidents?.find(({ timeline }) => timeline.length > 0)?.timeline;
    expect([told?.at(0)?.text, told?.at(-1)?.text]).toEqual(["event 60", "event 259"]);
  },
);

it("A case of DFIR-IRIS whose timeline can't be read stops no other case, this time and the next", async () => {
  const { engine } = await standIn("iris", {}, (url) =>
    url.pathname === "/case/timeline/events/list" ? { data: "not a timeline" } : undefined,
  );
  let cursor: string | null = null;
  for (let poll = 0; poll < 2; poll++) {
    const told = new Set<string>();
    let unreadable = 0;
    for await (const batch of engine.reports.incidents?.({ cursor, open: async () => [] }) ?? []) {
      ({ cursor } = batch);
      unreadable += batch.unreadable;
      for (const { id } of batch.items) told.add(id);
    }
    expect([told.size, unreadable > 0]).toEqual([3, true]);
  }
});

it("A case is not told without its timeline where an engine that is down asks for a pause", async () => {
  const { engine } = await standIn("thehive", {}, (url) =>
    url.pathname.includes("timeline")
      ? new Response("upstream", { status: 503, headers: { "Retry-After": "120" } })
      : undefined,
  );
  await expect(askAll(engine)).rejects.toMatchObject({ problem: "down", retryAfterSeconds: 120 });
});

it.each<[EngineKind, Misbehaviour, EngineProblem]>([
  ["iris", "busy until", "busy"],
  ["iris", "forbidden", "permission"],
  ["thehive", "busy until", "busy"],
  ["thehive", "forbidden", "permission"],
])(
  "A case of %s is not told without its timeline where the engine is %s, which is no fault of this case",
  async (kind, how, problem) => {
    const { engine, misbehave } = await standIn(kind, {}, (url) => {
      if (url.pathname.includes("timeline")) misbehave(how);
      return undefined;
    });
    expect(await problemOf(askAll(engine))).toBe(problem);
  },
);

it("What changes behind a walk of Wazuh that was broken off is asked for by the next one", async () => {
  const began = new Date("2026-11-20T10:00:00Z");
  const asked: { from: string; after: unknown }[] = [];
  const indexer: Indexer = {
    holds: async () => true,
    lastOfEach: async () => ({ at: new Map(), sources: new Map() }),
    search: async (_pattern, body) => {
      const { query, search_after: after = null } = body as { query: { from: string }; search_after?: unknown };
      asked.push({ from: query.from, after });
      const hit = (index: number) => ({ id: String(index), source: {}, sort: [index] });
      return Array.from({ length: asked.length === 1 ? 500 : 1 }, (_, index) => hit(index));
    },
  };
  const read = () => ({ items: [], unreadable: 0 });
  const walk = (cursor: string | null, now: Date) =>
    walkDocuments(
      indexer,
      "findings",
      { cursor, now },
      {
        query: (from) => ({ from }),
        time: "@timestamp",
        fields: [],
        read,
      },
    );
  const { value } = await walk(null, began).next();
  // Two hours later it continues, and the next walk starts where this one started.
  let cursor: string | null = value?.cursor ?? null;
  for await (const batch of walk(cursor, new Date(began.getTime() + 7_200_000))) ({ cursor } = batch);
  const { from } = JSON.parse(cursor ?? "{}") as { from: string };
  expect(new Date(from) <= began).toBe(true);
  expect(asked[1]?.after).toEqual([499]);
});

describe("A very long list", () => {
  /** Cases or alerts of DFIR-IRIS in pages, `all` of them; null repeats the first page forever. */
  const pagesOf = (url: URL, all: number | null, record: (number: number) => object) => {
    const [page = 1, size = 1] = ["page", "per_page"].map((name) => Number(url.searchParams.get(name)));
    const before = all === null ? 0 : (page - 1) * size;
    const left = all === null ? size : Math.max(0, Math.min(size, all - before));
    return Array.from({ length: left }, (_, index) => record(1e6 - before - index));
  };
  const toldOf = async (batches: AsyncIterable<{ items: { id: string }[] }> | undefined) => {
    const told = new Set<string>();
    if (batches) for await (const { items } of batches) for (const { id } of items) told.add(id);
    return told.size;
  };
  const since = { cursor: null, open: async () => [] };

  it.each([
    [6050, 6050],
    [null, 100],
  ])("of %s cases of DFIR-IRIS is told to its end, in the order that pages need", async (all, told) => {
    const asked: URL[] = [];
    const { engine } = await standIn("iris", {}, (url) => {
      if (url.pathname !== "/manage/cases/filter") return undefined;
      asked.push(url);
      const cases = pagesOf(url, all, (case_id) => ({ case_id, open_date: "2026-11-20", close_date: "2026-11-21" }));
      return { message: "", data: { cases } };
    });
    expect(await toldOf(engine.reports.incidents?.(since))).toBe(told);
    expect(asked[0]?.searchParams.get("order_by")).toBe("case_id");
  });

  it.each([
    [12_050, 12_050],
    [null, 100],
  ])("of %s new alerts of DFIR-IRIS is told to its end", async (all, told) => {
    const alert_creation_time = new Date().toISOString();
    const { engine } = await standIn("iris", {}, (url) =>
      url.pathname === "/alerts/filter"
        ? { data: { alerts: pagesOf(url, all, (alert_id) => ({ alert_id, alert_creation_time })) } }
        : undefined,
    );
    expect(await toldOf(engine.reports.findings?.(since))).toBe(told);
  });

  it.each([
    ["cases", "/manage/cases/filter"],
    ["alerts", "/alerts/filter"],
  ])("of %s of DFIR-IRIS that nobody can read is not read for ever", async (list, path) => {
    let asked = 0;
    const { engine } = await standIn("iris", {}, (url) => {
      if (url.pathname !== path) return undefined;
      // Ends after twenty requests, so that a faulty adapter ends too.
      return { message: "", data: { [list]: ++asked > 20 ? [] : pagesOf(url, null, (number) => ({ number })) } };
    });
    await toldOf(list === "cases" ? engine.reports.incidents?.(since) : engine.reports.findings?.(since));
    expect(asked).toBe(2);
  });

  it("of alerts of DFIR-IRIS is told behind a page that nobody can read", async () => {
    const alert_creation_time = new Date().toISOString();
    const { engine } = await standIn("iris", {}, (url) =>
      url.pathname === "/alerts/filter"
        ? {
            data: {
              alerts: pagesOf(url, 300, (alert_id) =>
                alert_id > 1e6 - 100 ? { alert_id } : { alert_id, alert_creation_time },
              ),
            },
          }
        : undefined,
    );
    expect(await toldOf(engine.reports.findings?.(since))).toBe(200);
  });

  it("of alerts of DFIR-IRIS with long words is told to its end, and what is open is read again, fewer at a time", async () => {
    const [alert_creation_time, alert_description] = [new Date().toISOString(), "x".repeat(20_000)];
    const alertOf = (alert_id: number) => ({ alert_id, alert_creation_time, alert_description });
    const { engine } = await standIn("iris", {}, (url) => {
      if (url.pathname !== "/alerts/filter") return undefined;
      const ids = url.searchParams.get("alert_ids")?.split(",").map(Number);
      return { data: { alerts: ids?.map(alertOf) ?? pagesOf(url, 250, alertOf) } };
    });
    const all = Array.from({ length: 150 }, (_, index) => String(5000 - index));
    const open = async (behind: string | null, count: number) => {
      const start = behind === null ? 0 : all.indexOf(behind) + 1;
      return all.slice(start, start + count);
    };
    expect(await toldOf(engine.reports.findings?.({ cursor: null, open }))).toBe(400);
  });

  it("of alerts of DFIR-IRIS is told behind old ones that come first, though few are read at a time", async () => {
    const [now, alert_description] = [Date.now(), "x".repeat(400_000)];
    const { engine } = await standIn("iris", {}, (url) => {
      if (url.pathname !== "/alerts/filter") return undefined;
      const timeOf = (alert_id: number) => new Date(now - (alert_id > 1e6 - 2 ? 172_800_000 : 60_000)).toISOString();
      const alertOf = (alert_id: number) => ({ alert_id, alert_description, alert_creation_time: timeOf(alert_id) });
      return { data: { alerts: pagesOf(url, 30, alertOf) } };
    });
    expect(await toldOf(engine.reports.findings?.(since))).toBe(30);
  });

  it("of detectors of OpenSearch is refused", async () => {
    const { engine } = await standIn("opensearch", {}, (url) =>
      url.pathname.endsWith("/detectors/_search")
        ? { hits: { hits: Array.from({ length: 10_000 }, (_, index) => ({ _id: `d${index}`, _source: {} })) } }
        : undefined,
    );
    expect(await problemOf(toldOf(engine.reports.findings?.(since)))).toBe("too_large");
  });
});

it("A walk of TheHive that is broken off goes on from there, also where the engine's clock is ahead", async () => {
  const now = new Date("2026-11-20T10:00:00Z");
  const anHourAhead = new Date(now.getTime() + 3_600_000);
  const { binding } = await standIn("thehive", { now: () => anHourAhead });
  const { reports } = openFor(binding, limits.answerMs, () => now);
  const reached = anHourAhead.getTime() - 1_800_000;
  const cursor = JSON.stringify({ created: reached, updated: reached });
  const told: Finding[] = [];
  for await (const { items } of reports.findings?.({ cursor, open: async () => [] }) ?? []) told.push(...items);
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter(({ at }) => at.getTime() < reached)).toEqual([]);
});

describe("An OpenSearch detector with more alerts than one search reaches", () => {
  const now = Date.now();
  const alertsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `a${index}`, start_time: now - 7_200_000 + index * 300 }));

  /** With the default window of an OpenSearch index, and hits counted up to it. */
  const answer = (all: { id: string; start_time: number }[], query: URLSearchParams) => {
    const [from = 0, size = 0, since = 0, until = 0] = ["startIndex", "size", "startTime", "endTime"].map((name) =>
      Number(query.get(name)),
    );
    if (from + size > 10_000) return Response.json({ error: { type: "illegal_argument_exception" } }, { status: 400 });
    const found = all.filter(({ start_time: at }) => at >= since && at <= until);
    return { total_alerts: Math.min(found.length, 10_000), alerts: found.slice(from, from + size) };
  };
  const detector = async (told: (query: URLSearchParams) => object) =>
    (
      await standIn("opensearch", {}, ({ pathname, searchParams }) => {
        if (pathname.endsWith("/detectors/_search"))
          return { hits: { hits: [{ _id: "d", _source: { name: tenants.own } }] } };
        return pathname.endsWith("/alerts") ? told(searchParams) : undefined;
      })
    ).engine;
  const read = async (engine: Engine, before: string | null, batches = Infinity) => {
    const told = new Set<string>();
    let cursor = before;
    for await (const { items, cursor: next } of engine.reports.findings?.({ cursor, open: async () => [] }) ?? []) {
      for (const { id } of items) told.add(id);
      cursor = next;
      if (--batches === 0) break;
    }
    return { told, cursor };
  };

  it("tells all of them, and those after them, also where a walk is broken off behind the first ten thousand", async () => {
    const alerts = alertsOf(12_000);
    const engine = await detector((query) => answer(alerts, query));
    expect((await read(engine, null)).told.size).toBe(12_000);
    const first = await read(engine, null, 110);
    const { told: rest, cursor } = await read(engine, first.cursor);
    expect([first.told.size < 11_000, new Set([...first.told, ...rest]).size]).toEqual([true, 12_000]);
    alerts.push({ id: "new", start_time: now });
    expect((await read(engine, cursor)).told).toContain("new");
  }, 30_000);

  it("is gone on with where a walk of before had come to that end", async () => {
    const alerts = alertsOf(12_000);
    const engine = await detector((query) => answer(alerts, query));
    const walk = { detector: "d", startIndex: 9999, newest: now - 4_200_000, until: now };
    const { told } = await read(engine, JSON.stringify({ from: now - 7_200_000, walk }));
    expect(told.size).toBe(12_000);
  }, 30_000);

  it("is not asked for ever where it goes by no time", async () => {
    const alerts = alertsOf(10_000);
    const engine = await detector((query) => {
      query.set("startTime", "0");
      return answer(alerts, query);
    });
    expect(await problemOf(read(engine, null))).toBe("too_large");
  }, 30_000);
});

it("Alerts of an OpenSearch whose clock is an hour ahead are read at once", async () => {
  const now = new Date("2026-11-20T10:00:00Z");
  const anHourAhead = new Date(now.getTime() + 3_600_000);
  const { binding } = await standIn("opensearch", { now: () => anHourAhead });
  const { findings } = await askAll(openFor(binding, limits.answerMs, () => now));
  expect(findings).toHaveLength(60);
});

it("A case of TheHive that is open is told the first time, though nobody has touched it for days", async () => {
  const evening = new Date("2026-11-20T23:00:00Z");
  const { binding } = await standIn("thehive", { now: () => evening });
  const { reports } = openFor(binding, limits.answerMs, () => evening);
  const told = new Set<string>();
  for await (const { items } of reports.incidents?.({ cursor: null, open: async () => [] }) ?? [])
    for (const { state, id } of items) if (state !== "closed") told.add(id);
  expect([...told]).toEqual(["~43"]);
});

/** Wazuh with these documents, each with a time of its own. */
async function wazuhOf(kind: EngineKind, count: number, source: object) {
  const [now, ids] = [new Date(), Array.from({ length: count }, (_, index) => String(index))];
  const documents = ids.map((_id, index) => {
    const at = new Date(now.getTime() - 3_600_000 + index * 1000).toISOString();
    return { _index: "alerts", _id, _source: { timestamp: at, "@timestamp": at, ...source } };
  });
  return standIn(kind, {}, async ({ pathname }, asked) =>
    pathname.endsWith("_search")
      ? { _shards: { total: 1 }, ...searchDocuments(documents, (await asked.json()) as Search, now) }
      : undefined,
  );
}

it.each<EngineKind>(["wazuh4", "wazuh5"])("Alerts of %s with long log lines are told", async (kind) => {
  const original = "x".repeat(2100);
  const source = { rule: { level: 10 }, full_log: original, data: { url: original }, event: { original } };
  const { findings } = await askAll((await wazuhOf(kind, 520, source)).engine);
  expect(findings).toHaveLength(520);
});

it.each<EngineKind>(["wazuh4", "wazuh5"])("Alerts of %s with long titles are told, fewer at a time", async (kind) => {
  const title = "x".repeat(9000);
  const source = { rule: { level: 10, description: title }, wazuh: { rule: { title } } };
  const { findings } = await askAll((await wazuhOf(kind, 520, source)).engine);
  expect(findings).toHaveLength(520);
});

describe("Alerts with hundreds of brackets, as a scanner may cause them, are read", () => {
  const at = new Date(Date.now() - 3_600_000).toISOString();

  it("of Wazuh, each of which has the words twice", async () => {
    const url = `/?q=${"[".repeat(400)}`;
    const source = { timestamp: at, rule: { level: 10 }, full_log: `GET \\"${url}`, data: { url } };
    const hits = Array.from({ length: 500 }, (_, index) => ({ _id: `${index}`, _source: source, sort: [index] }));
    let asked = 0;
    const { engine } = await standIn("wazuh4", {}, ({ pathname }) =>
      pathname.endsWith("_search") ? { _shards: { total: 1 }, hits: { hits: ++asked === 2 ? hits : [] } } : undefined,
    );
    const told: Finding[] = [];
    for await (const { items } of engine.reports.findings?.({ cursor: null, open: async () => [] }) ?? [])
      told.push(...items);
    expect(told).toHaveLength(500);
  });

  it("of DFIR-IRIS", async () => {
    const alert = { alert_description: "[{".repeat(1550), alert_creation_time: at, status: { status_name: "New" } };
    const { engine } = await standIn("iris", {}, ({ pathname, searchParams }) =>
      pathname === "/alerts/filter"
        ? {
            data: {
              alerts: Array.from({ length: searchParams.get("page") === "1" ? 100 : 0 }, (_, index) => ({
                ...alert,
                alert_id: 1000 - index,
              })),
            },
          }
        : undefined,
    );
    expect((await askAll(engine)).findings).toHaveLength(100);
  });
});

describe.each<EngineKind>(["wazuh4", "wazuh5", "iris", "shuffle"])("The records of another customer in %s", (kind) => {
  it("are taken for a fault, and not for the customer's", async () => {
    const { binding, misbehave } = await standIn(kind);
    misbehave("foreign records");
    const engine = openFor({ ...binding, tenantKey: isWazuh(kind) ? tenants.own : binding.tenantKey });
    expect(await problemOf(askAll(engine))).toBe("tenant");
  });
});

describe.each<EngineKind>(["wazuh4", "wazuh5"])("Devices of %s", (kind) => {
  it("leave the manager itself out, and know what was never seen", async () => {
    const { devices } = await askAll((await standIn(kind)).engine);
    expect(devices?.map(({ id }) => id)).not.toContain("000");
    expect(devices?.filter(({ lastSeenAt }) => lastSeenAt === null)).toEqual([
      expect.objectContaining({ id: "040", state: "never", firstSeenAt: null }),
    ]);
  });

  it("come in pages of 500 from a fleet of 30,000, each once", async () => {
    const { engine, calls } = await standIn(kind, { size: 30_000 });
    const pages = engine.inventory?.devices(null);
    const ids: string[] = [];
    let end = await pages?.next();
    for (; end && !end.done; end = await pages?.next()) ids.push(...end.value.items.map(({ id }) => id));
    expect([ids.length, new Set(ids).size, end?.value.are]).toEqual([30_000, 30_000, "gone"]);
    expect(calls.get("/manager/agents")).toBe(kind === "wazuh4" ? 61 : 60);
  });

  it("whose list changes while it is read are all found, by reading it again", async () => {
    const { engine, misbehave, calls } = await standIn(kind, { size: 1200 });
    misbehave("changing pages");
    const { devices, unnamed } = await askAll(engine);
    expect(devices).toHaveLength(1200);
    expect([unnamed, calls.get("/manager/agents")]).toEqual(["gone", 6]);
  });

  describe("in a list that was read before", () => {
    const read = async (engine: Engine, cursor: string | null) => {
      const named = new Map<string, Device>();
      const pages = engine.inventory?.devices(cursor);
      let page = await pages?.next();
      for (; page && !page.done; page = await pages?.next())
        for (const each of page.value.items) named.set(each.id, each);
      return { named, ...(page?.value ?? { are: "unknown", seenSince: null, cursor: null }) };
    };
    const readOnce = async () => {
      let now = new Date();
      const opened = await standIn(kind, { size: 3000, now: () => now });
      const engine = openFor(opened.binding, limits.answerMs, () => now);
      const { cursor } = await read(engine, null);
      const calls = () => opened.calls.get("/manager/agents") ?? 0;
      const before = calls();
      const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));
      return { ...opened, engine, cursor, calls: () => calls() - before, pass, now: () => now };
    };

    it("are asked for in three calls where nothing has changed, and are known to be there since", async () => {
      const { engine, cursor, calls, pass, now } = await readOnce();
      pass(60);
      const { named, are, seenSince } = await read(engine, cursor);
      expect([are, calls(), named.size]).toEqual(["active", 3, 501]);
      expect(now().getTime() - Number(seenSince)).toBeLessThan(60_000);
    });

    it("are named when they stop, fall silent, or never came", async () => {
      const { engine, cursor, change, pass, now } = await readOnce();
      pass(60);
      change("2000", { isOff: true });
      change("2001", { lastSeenAt: new Date(now().getTime() - 600_000) });
      const { named, are } = await read(engine, cursor);
      const states = ["2000", "2001", "040"].map((id) => named.get(id)?.state);
      expect([are, states]).toEqual(["active", ["disconnected", "active", "never"]]);
      expect(named.get("2001")?.lastSeenAt?.getTime()).toBeLessThan(now().getTime() - 590_000);
    });

    it.each<[string, (fleet: Awaited<ReturnType<typeof readOnce>>) => void]>([
      ["one has left", ({ change }) => change("2000", null)],
      ["one has left and another came", ({ change }) => change("2000", { id: "3001" })],
      ["it was read a quarter of an hour ago", ({ pass }) => pass(16 * 60)],
      ["the times are missing", ({ misbehave }) => misbehave("no keepalive")],
      ["a state is not known", ({ misbehave }) => misbehave("unknown words")],
    ])(
      "are all read again when %s",
      async (_why, happen) => {
        const fleet = await readOnce();
        happen(fleet);
        const { named, are } = await read(fleet.engine, fleet.cursor);
        expect([are, named.size >= 2999]).toEqual(["gone", true]);
      },
      30_000,
    );
  });

  it("that have no time of a last sign have none here either", async () => {
    const { engine, misbehave } = await standIn(kind);
    misbehave("no keepalive");
    const { devices } = await askAll(engine);
    expect(devices?.every(({ lastSeenAt }) => lastSeenAt === null)).toBe(true);
  });

  it("of a partial answer are taken in, and what it lacks is not taken for gone", async () => {
    const { engine, misbehave } = await standIn(kind);
    misbehave("partial answer");
    const pages = engine.inventory?.devices(null);
    let end = await pages?.next();
    while (end && !end.done) end = await pages?.next();
    expect(end?.value).toEqual({ are: "unknown", seenSince: null, cursor: null });
    expect(await problemOf(askAll(engine))).toBe("answer");
  });

  it("tell when their last event came, which a dead log source does not change", async () => {
    const { engine, silence } = await standIn(kind);
    const since = new Date(Date.now() - 3 * 3_600_000);
    silence("005", since);
    const last = await engine.inventory?.lastEvents(lastEventsMinutesMax);
    expect([last?.basis, last?.at.get("005"), last?.sources.get("005")]).toEqual(["events", since, ["sshd"]]);
    expect(Date.now() - (last?.at.get("006")?.getTime() ?? 0)).toBeLessThan(600_000);
    const news = await engine.inventory?.lastEvents(20);
    expect([news?.at.has("005"), news?.at.get("006")]).toEqual([false, last?.at.get("006")]);
  });

  it("have no findings known where there is no index", async () => {
    const { engine, misbehave } = await standIn(kind);
    misbehave("no index");
    expect(await problemOf(askAll(engine))).toBe("permission");
  });
});

it("Of a group whose manager tells its agents in part only no alerts are told, and then those of all", async () => {
  let isPart = true;
  const told = { id: "001", group: [tenants.own] };
  const part = { affected_items: [told], total_affected_items: 1, total_failed_items: 39, failed_items: [] };
  const { binding } = await standIn("wazuh4", {}, ({ pathname }) =>
    isPart && pathname === "/manager/agents" ? { data: part, error: 2 } : undefined,
  );
  const engine = openFor({ ...binding, tenantKey: tenants.own });
  const found = new Set<string>();
  let cursor: string | null = null;
  const read = async () => {
    for await (const batch of engine.reports.findings?.({ cursor, open: async () => [] }) ?? []) {
      for (const { id } of batch.items) found.add(id);
      ({ cursor } = batch);
    }
  };
  const problem = await problemOf(read());
  isPart = false;
  await read();
  expect([problem, found.size]).toEqual(["answer", 60]);
  isPart = true;
  expect(await problemOf(Promise.resolve(engine.inventory?.lastEvents(lastEventsMinutesMax)))).toBe("answer");
});

describe("A login of Wazuh", () => {
  it("is one, however many ask at the same time", async () => {
    const { engine, calls } = await standIn("wazuh4");
    await Promise.all(Array.from({ length: 8 }, () => askAll(engine)));
    expect(calls.get("/manager/security/user/authenticate")).toBe(1);
  });

  it("that was refused is not tried again by itself, so that nobody is locked out", async () => {
    const { binding, calls, misbehave } = await standIn("wazuh4");
    const engine = openFor({ ...binding, secret: "wrong" });
    for (let round = 0; round < 7; round++) expect(await problemOf(askAll(engine))).toBe("login");
    expect(calls.get("/manager/security/user/authenticate")).toBe(1);
    misbehave("locked out");
    expect(await problemOf(openFor(binding).probe())).toBe("login");
  });

  it("whose tokens are always refused is renewed once for a call, and no more", async () => {
    const { engine, calls, misbehave } = await standIn("wazuh4");
    misbehave("refused tokens");
    expect(await problemOf(engine.probe())).toBe("login");
    expect(calls.get("/manager/")).toBe(2);
  });
});

it("A pause that an engine asks for is kept with the failure", async () => {
  const { engine, misbehave } = await standIn("iris");
  misbehave("busy until");
  await expect(engine.probe()).rejects.toMatchObject({ problem: "busy", retryAfterSeconds: 120 });
});

it("IRIS knows of a closing its day alone: when it was stays open", async () => {
  const { incidents } = await askAll((await standIn("iris")).engine);
  const closed = incidents?.filter(({ state }) => state === "closed") ?? [];
  expect(closed.length).toBeGreaterThan(0);
  expect(closed.filter(({ closedAt }) => closedAt !== null)).toEqual([]);
});

it("What TheHive computed itself is taken from it", async () => {
  const { incidents } = await askAll((await standIn("thehive")).engine);
  expect(incidents?.find(({ id }) => id === "~42")).toMatchObject({
    verdict: "true_positive",
    state: "closed",
    figures: { timeToAcknowledgeSeconds: 360, timeToResolveSeconds: 8 * 3600 },
  });
});

it("Shuffle mints a sign-in for one person", async () => {
  const { engine } = await standIn("shuffle");
  expect(await engine.signIn?.("asha@demo.example")).toMatch(/^https:\/\/shuffle\.demo\.example\/sso\?for=asha/);
});

const given = process.env["ENGINE_UNDER_TEST"];
it.runIf(given)("The engine of ENGINE_UNDER_TEST says who it is and what it found", async () => {
  const engine = openEngines({ allowPrivate: true }).open(JSON.parse(given ?? "") as Binding);
  onTestFinished(() => engine.close());
  await engine.probe();
  const { findings, unreadable } = await askAll(engine);
  expect(findings).not.toBeNull();
  expect(unreadable).toBe(0);
});

it.each(["iris", "thehive"] as const)(
  "A remark stands once in a case of %s, however often it is written",
  async (kind) => {
    const { engine, calls } = await standIn(kind);
    const { incidents } = await askAll(engine);
    const incident = incidents?.[0]?.id ?? "";
    const remark = {
      incident,
      id: randomUUID(),
      text: "Our analyst: Contained\nThe account is locked",
      at: new Date(),
    };
    await engine.remark?.(remark);
    await engine.remark?.(remark);
    await engine.remark?.({ ...remark, id: randomUUID() });
    const written = [...calls].filter(([path]) => /events\/add|\/comment/.test(path)).map(([, count]) => count);
    expect(written).toEqual([2]);
  },
);
