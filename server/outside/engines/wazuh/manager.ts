import { createHash } from "node:crypto";
import { z } from "zod";
import type { DeviceState } from "../../../../contract/engine-kinds.ts";
import { basicHeader, type Credentials, type EngineApi, openApi, parse, refuseStatus, urlOf } from "../engine-api.ts";
import type { Binding, Device, Page } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { readRecords, shortened, wordIn } from "../read-records.ts";
import { readTime } from "../read-time.ts";

/** The manager's API of Wazuh 4 and 5, on port 55000. */
export interface Manager {
  version(): Promise<string>;
  skewSeconds(): number | null;
  /** @throws EngineFailure tenant where the manager does not know the group */
  checkGroup(group: string): Promise<void>;
  agents(group: string | null): AsyncGenerator<Page<Device>, { complete: boolean }>;
  agentIds(group: string): Promise<string[]>;
  /** Has the next call log in anew. */
  forgetLogin(): void;
}

const Items = z.object({
  data: z.object({
    affected_items: z.array(z.unknown()),
    total_affected_items: z.number().int().min(0),
    total_failed_items: z.number().int().min(0).default(0),
  }),
  /** 0 all, 1 none, 2 some of it. */
  error: z.number(),
});

const Agent = z.object({
  id: z.string().min(1),
  name: z.string().default(""),
  ip: z.string().nullish(),
  status: z.string().nullish(),
  lastKeepAlive: z.string().nullish(),
  dateAdd: z.string().nullish(),
  group: z.array(z.string()).nullish(),
  version: z.string().nullish(),
  os: z.object({ name: z.string().nullish(), version: z.string().nullish() }).nullish(),
});

const pageSize = 500;
const nameLengthMax = 300;
/** How often the list is read again when it changed meanwhile. */
const readingsMax = 3;
/** The manager lists itself as this one. */
const managersOwn = "000";
const fields = "id,name,ip,status,lastKeepAlive,dateAdd,group,version,os.name,os.version";

export function openManager(binding: Binding, { connection, tokens, called, now }: Surroundings): Manager {
  const name = `The manager of ${called}`;
  const { credentials, owner } = tokenLogin(binding, name, { connection, tokens });
  const api = openApi(connection, binding.address, credentials, name, now);
  return {
    async version() {
      const { data } = await api.get(z.object({ data: z.object({ api_version: z.string() }) }), "/");
      return data.api_version.replace(/^v/i, "");
    },
    skewSeconds: () => api.skewSeconds(),
    forgetLogin: () => tokens.forget(owner),
    async checkGroup(group) {
      const answer = await api.get(Items, "/groups", { groups_list: group }).catch(mayNotReadGroups);
      if (answer?.data.affected_items.length === 0)
        throw new EngineFailure("tenant", `${called} has no agent group of this name. Check how it is written.`);
    },
    agents: (group) => readAgents(api, group),
    async agentIds(group) {
      const ids: string[] = [];
      for await (const { items } of readAgents(api, group)) ids.push(...items.map(({ id }) => id));
      return ids;
    },
  };
}

/** A login that may read the agents of its group alone is right, and can't be asked about groups. */
function mayNotReadGroups(error: unknown): null {
  if (error instanceof EngineFailure && error.problem === "permission") return null;
  throw error;
}

/**
 * Pages by offset shift when an agent is added or removed in between. So the list is read again until a reading saw as
 * many as the manager counts all along; where it never rests, nothing is taken for gone.
 */
async function* readAgents(api: EngineApi, group: string | null): AsyncGenerator<Page<Device>, { complete: boolean }> {
  const told = new Set<string>();
  for (let reading = 1; reading <= readingsMax; reading++) {
    const seen = new Set<string>();
    let total: number | null = null;
    let isSteady = true;
    for (let offset = 0; total === null || offset < total; offset += pageSize) {
      const { data, error } = await api.get(Items, "/agents", {
        limit: pageSize,
        offset,
        select: fields,
        sort: "+id",
        group: group ?? undefined,
      });
      isSteady &&=
        error === 0 &&
        data.total_failed_items === 0 &&
        (total ?? data.total_affected_items) === data.total_affected_items;
      total = data.total_affected_items;
      for (const each of data.affected_items) seen.add(String((each as { id?: unknown } | null)?.id));
      const { items, unreadable } = readRecords(Agent, data.affected_items, deviceOf);
      const own = items.filter(({ id }) => id !== managersOwn && !told.has(id));
      refuseForeign(own, group);
      for (const { id } of own) told.add(id);
      yield { items: own, unreadable: reading === 1 ? unreadable : 0 };
      if (data.affected_items.length === 0) break;
    }
    if (isSteady && seen.size === total) return { complete: true };
  }
  return { complete: false };
}

/** A manager that mixes its groups up must not mix our customers. */
function refuseForeign(devices: readonly Device[], group: string | null): void {
  if (group !== null && devices.some(({ groups }) => !groups.includes(group)))
    throw new EngineFailure("tenant", "The manager answered with agents of another group, which were not taken in.");
}

const states: Record<string, DeviceState> = {
  active: "active",
  disconnected: "disconnected",
  pending: "pending",
  neverconnected: "never",
};

function deviceOf({
  id,
  name,
  ip,
  status,
  lastKeepAlive,
  dateAdd,
  group,
  version,
  os,
}: z.output<typeof Agent>): Device {
  return {
    id,
    name: shortened(name, nameLengthMax),
    address: ip && ip !== "any" ? ip : null,
    os: [os?.name, os?.version].filter(Boolean).join(" ") || null,
    groups: group ?? [],
    state: wordIn(states, status),
    lastSeenAt: readTime(lastKeepAlive),
    firstSeenAt: readTime(dateAdd),
    version: version?.replace(/^(?:Wazuh )?v/i, "") ?? null,
  };
}

/** A token for each login, held by all who ask as the same. */
function tokenLogin(
  { address, username, secret }: Binding,
  called: string,
  { connection, tokens }: Pick<Surroundings, "connection" | "tokens">,
): { credentials: Credentials; owner: string } {
  const owner = createHash("sha256")
    .update(JSON.stringify([address, username, secret]))
    .digest("hex");
  const login = async () => {
    const url = urlOf(address, "/security/user/authenticate");
    const headers = { Authorization: basicHeader(username ?? "", secret) };
    const answer = await connection.send({ method: "POST", url, headers });
    if (answer.status === 403 || answer.status === 429) throw lockedOut(called);
    refuseStatus(answer, url, called);
    return parse(z.object({ data: z.object({ token: z.string().min(1) }) }), answer.text, called).data.token;
  };
  let last = "";
  const headers = async (renew: boolean) => {
    if (renew) tokens.drop(owner, last);
    last = await tokens.get(owner, login);
    return { Authorization: `Bearer ${last}` };
  };
  return { credentials: { headers, renewable: true }, owner };
}

const lockedOut = (called: string) =>
  new EngineFailure(
    "login",
    `${called} refuses every login from here for a while, as it does after several wrong ones. Wait some minutes, then check user name and secret.`,
  );
