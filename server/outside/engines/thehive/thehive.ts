import { z } from "zod";
import { bearer, type EngineApi, openApi } from "../engine-api.ts";
import type { Binding, Engine, Incident } from "../engine.ts";
import { EngineFailure, nullIfFailing } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { readRecords, shortened } from "../read-records.ts";
import { readTime } from "../read-time.ts";
import { Alert, Case, findingOf, incidentOf } from "./records.ts";
import { walkChanges } from "./walk-changes.ts";
import { writeComment } from "./write-comment.ts";

const alertsOfPage = 50;
/** Each case's timeline costs a request: small pages are stored before a slow engine's time is up. */
const casesOfPage = 5;

/** TheHive 5: alerts are findings, cases are incidents with the engine's own service-level figures. */
export function thehiveEngine(binding: Binding, { connection, called, now }: Surroundings): Engine {
  const organisation = binding.tenantKey ?? "";
  const credentials = bearer(binding.secret, { "X-Organisation": encodeURI(organisation) });
  const api = openApi(connection, binding.address, credentials, called, now);
  let version: string | null = null;
  const checkVersion = async () => (version = await readVersion(api, called));
  return {
    async probe() {
      await checkVersion();
      await checkOrganisation(api, organisation, called);
      return { version, skewSeconds: api.skewSeconds() };
    },
    known: () => ({ version, skewSeconds: api.skewSeconds() }),
    inventory: null,
    reports: {
      async *findings({ cursor }) {
        await checkVersion();
        await checkOrganisation(api, organisation, called);
        for await (const { records, cursor: next } of walkChanges(api, "listAlert", {
          pageSize: alertsOfPage,
          cursor,
          now: now(),
        }))
          yield { ...readRecords(Alert, records, findingOf), cursor: next };
      },
      async *incidents({ cursor }) {
        await checkVersion();
        await checkOrganisation(api, organisation, called);
        for await (const { records, cursor: next } of walkChanges(api, "listCase", {
          pageSize: casesOfPage,
          cursor,
          now: now(),
        })) {
          const { items, unreadable } = readRecords(Case, records, incidentOf);
          let withoutTimeline = 0;
          for (const incident of items) {
            const timeline = await nullIfFailing(() => readTimeline(api, incident.id));
            if (!timeline) withoutTimeline++;
            incident.timeline = timeline ?? [];
          }
          yield { items, unreadable: unreadable + withoutTimeline, cursor: next };
        }
      },
    },
    remark: (remark) => writeComment(api, remark),
    signIn: null,
    close: () => connection.close(),
  };
}

const Status = z.object({ versions: z.object({ TheHive: z.string().nullish() }).nullish() });

async function readVersion(api: EngineApi, called: string): Promise<string> {
  const version = (await api.get(Status, "/api/v1/status/public")).versions?.TheHive ?? "";
  if (version.startsWith("5.")) return version;
  const told = /^[\w.-]{1,20}$/.test(version) ? version : "that can't be read";
  throw new EngineFailure("version", `A TheHive of version ${told} answers there; what is known here is ${called}.`);
}

const Person = z.object({
  organisation: z.string().nullish(),
  organisations: z.array(z.object({ organisation: z.string() })).nullish(),
});

/**
 * If the key belongs to one organisation and the header names another, some versions refuse the call and others ignore
 * the header.
 */
async function checkOrganisation(api: EngineApi, organisation: string, called: string): Promise<void> {
  const { organisation: own, organisations } = await api.get(Person, "/api/v1/user/current");
  if ([own, ...(organisations ?? []).map((each) => each.organisation)].includes(organisation)) return;
  throw new EngineFailure(
    "tenant",
    `In ${called} this user does not belong to an organization of that name. Check how it is written, and add the user to it.`,
  );
}

const Timeline = z.object({ events: z.array(z.unknown()) });
const Event = z.object({ date: z.number(), kind: z.string(), entity: z.string().nullish() });
/** If there are more, the latest are kept. */
const timelineEventsMax = 200;

async function readTimeline(api: EngineApi, id: string): Promise<Incident["timeline"]> {
  const { events } = await api.get(Timeline, `/api/v1/case/${encodeURIComponent(id)}/timeline`);
  const { items } = readRecords(Event, events, ({ date, kind, entity }) => {
    const at = readTime(date);
    return at && { at: at.toISOString(), kind, text: shortened(entity ?? "") };
  });
  return items.toSorted((one, other) => one.at.localeCompare(other.at)).slice(-timelineEventsMax);
}
