import { z } from "zod";
import { sha256Of } from "../../../protection/sha256-of.ts";
import { basicHeader, type Credentials, openApi, parse, refuseStatus, urlOf } from "../engine-api.ts";
import type { Binding, Device, Page, Unnamed } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { Items, readAgents } from "./agents.ts";

/** The manager's API in Wazuh 4 and 5, on port 55000. */
export interface Manager {
  version(): Promise<string>;
  skewSeconds(): number | null;
  /** @throws EngineFailure "tenant" where the manager does not know the group */
  checkGroup(group: string): Promise<void>;
  agents(group: string | null, cursor: string | null): AsyncGenerator<Page<Device>, Unnamed>;
  /**
   * The ids of all agents of a group.
   * @throws EngineFailure where the manager's list is incomplete: events of the missing agents would be left out
   */
  agentIds(group: string): Promise<string[]>;
  /** Makes the next call log in again. */
  forgetLogin(): void;
}

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
    agents: (group, cursor) => readAgents({ api, group, now: now() }, cursor),
    async agentIds(group) {
      const ids: string[] = [];
      const pages = readAgents({ api, group, now: now() }, null);
      let page = await pages.next();
      for (; !page.done; page = await pages.next()) ids.push(...page.value.items.map(({ id }) => id));
      if (page.value.are !== "gone") throw notAll(name);
      return ids;
    },
  };
}

const notAll = (called: string) =>
  new EngineFailure(
    "answer",
    `${called} told of the group's agents in part only, or of others each time. Look into its own log, and whether this login may read all of them.`,
  );

/** A login that may read only its own group's agents is fine, but is not allowed to list groups. */
function mayNotReadGroups(error: unknown): null {
  if (error instanceof EngineFailure && error.problem === "permission") return null;
  throw error;
}

/** One token per login, shared by all callers that use the same login. */
function tokenLogin(
  { address, username, secret }: Binding,
  called: string,
  { connection, tokens }: Pick<Surroundings, "connection" | "tokens">,
): { credentials: Credentials; owner: string } {
  const owner = sha256Of(JSON.stringify([address, username, secret]));
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
