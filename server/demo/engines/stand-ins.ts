import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { type EngineKind, engineKindNames, engineKinds } from "../../../contract/engine-kinds.ts";
import { standAlonePage } from "../../http/stand-alone-page.ts";
import type { Binding } from "../../outside/engines/engine.ts";
import { tenants } from "./fleet.ts";
import { irisStandIn } from "./iris.ts";
import { opensearchStandIn } from "./opensearch.ts";
import { shuffleOrganisations, shuffleStandIn } from "./shuffle.ts";
import { type Maker, openState, type StandIn, standInLogin } from "./stand-in.ts";
import { thehiveStandIn } from "./thehive.ts";
import { wazuhStandIn } from "./wazuh.ts";

const makers: Record<EngineKind, Maker> = {
  wazuh4: wazuhStandIn,
  wazuh5: wazuhStandIn,
  iris: irisStandIn,
  thehive: thehiveStandIn,
  opensearch: opensearchStandIn,
  shuffle: shuffleStandIn,
};

/** An engine of this kind that answers from a fleet of `size` devices. */
export function openStandIn(kind: EngineKind, options: { size?: number; now?: () => Date } = {}): StandIn {
  const { state, misbehave, change } = openState(options);
  const silence = (id: string, since: Date) => change(id, { lastEventAt: since });
  return { app: makers[kind](state, kind), misbehave, silence, change, calls: state.calls };
}

/** The binding of an engine of this kind whose stand-in answers at an address. */
export function standInBinding(kind: EngineKind, address: string): Binding {
  const isWazuh = kind === "wazuh4" || kind === "wazuh5";
  const keys: Partial<Record<EngineKind, string>> = {
    iris: tenants.own,
    thehive: tenants.own,
    opensearch: tenants.own,
    shuffle: shuffleOrganisations[tenants.own],
  };
  const byPassword = isWazuh || kind === "opensearch";
  return {
    kind,
    address: isWazuh ? `${address}/manager` : address,
    indexerAddress: isWazuh ? `${address}/indexer` : null,
    tenantKey: keys[kind] ?? null,
    username: byPassword ? standInLogin.username : null,
    secret: standInLogin.secret,
    indexerUsername: null,
    indexerSecret: null,
    caCertificate: null,
  };
}

const root = "/sandbox/engines";

/** A domain reserved for examples, which exists in no network. */
const domain = ".engines.demo.example";

export const demoAddress = (kind: EngineKind) => `https://${kind}${domain}`;

/** Where links into a stand-in lead: one page that says what a real engine would show. */
export const demoPages = (kind: EngineKind, publicUrl: string) => `${publicUrl}${root}/${kind}/pages`;

/** The address on this server at which the stand-in of a demo's binding answers; null for any other host. */
export const standInsAt =
  (internalUrl: string) =>
  (host: string): URL | null => {
    const kind = engineKindNames.find((name) => host === `${name}${domain}`);
    return kind ? new URL(`${internalUrl}${root}/${kind}`) : null;
  };

/** Serves the stand-ins; each is made at its first request. */
export function mountStandIns(server: Hono): void {
  const opened = new Map<EngineKind, StandIn>();
  const kindOf = (context: Context) => engineKindNames.find((name) => name === context.req.param("kind"));
  server.get(`${root}/:kind/pages/*`, (context) => {
    const kind = kindOf(context);
    return kind ? showPage(context, engineKinds[kind].name) : context.notFound();
  });
  server.all(`${root}/:kind/*`, (context) => {
    const kind = kindOf(context);
    if (!kind) return context.notFound();
    const standIn = opened.get(kind) ?? openStandIn(kind);
    opened.set(kind, standIn);
    const url = new URL(context.req.url);
    url.pathname = url.pathname.slice(`${root}/${kind}`.length) || "/";
    return standIn.app.fetch(new Request(url, context.req.raw));
  });
}

const showPage = (context: Context, name: string) =>
  standAlonePage(context, {
    title: `Stand-in of ${name}`,
    body: html`<h1>Here ${name} would open</h1>
      <p>This is a stand-in for the demo. In a real engine its own page of this record opens here.</p>`,
  });
