import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import {
  type Onboarding,
  type OnboardingItem,
  type OnboardingKind,
  onboardingKinds,
} from "../../contract/onboarding.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { isThere } from "../accounts/queries.ts";
import { dayIn, timeZoneOf } from "../accounts/time-zones.ts";
import type { Database, Transaction } from "../database/database.ts";
import { logSources, onboardingItems, onboardings, organisations, people, sites } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { wayOf } from "./connection-ways.ts";
import { contractedTypes } from "./contracted-types.ts";
import { type KnownOf, readKnown } from "./known.ts";

type ItemRow = typeof onboardingItems.$inferSelect;

const titles: Record<Exclude<OnboardingKind, "log source">, string> = {
  contacts: "Contacts whom we call in turn",
  "time zone": "Time zone",
  sites: "Sites",
  "first events": "First events seen",
  dashboards: "Dashboards activated",
};
const steps: Record<Exclude<OnboardingKind, "log source">, string[]> = {
  contacts: [
    "Name whom we call when something is on fire, in the order in which we should try, with a telephone number each.",
  ],
  "time zone": ["Confirm the time zone by which your days begin and your office hours count."],
  sites: ["Name each place where your devices stand, with its address."],
  "first events": ["We watch for the first events to come, and tell you when something is missing."],
  dashboards: ["We activate your dashboards and open SIEM and SOAR for you."],
};

/** Products of the catalogue that are named next to the steps. */
const productsShown = 12;

/** A customer's checklist, for both sides. @throws Failure not_found for a null scope */
export async function readOnboarding(services: Services, scope: Scope<"organisation"> | null): Promise<Onboarding> {
  const { database } = services;
  const organisationId = organisationOf(scope);
  const [organisation] = await database.select().from(organisations).where(eq(organisations.id, organisationId));
  if (!organisation) throw notFound("This customer");
  const [opened] = await database.select().from(onboardings).where(eq(onboardings.organisationId, organisationId));
  const today = writtenDay(services.now());
  const items = await readItems(database, organisationId, today);
  const known = await readKnown(database, organisationId, services.now());
  const named = await namesOf(database, items);
  const products = await productsOf(database, items);
  const ours = await peopleOf(database, eq(organisations.kind, "provider"));
  return {
    state: opened ? (opened.doneAt ? "done" : "open") : "none",
    openedAt: opened?.openedAt.toISOString() ?? null,
    doneAt: opened?.doneAt?.toISOString() ?? null,
    organizationName: organisation.name,
    timeZone: organisation.timeZone,
    items: items.map((item) => presentItem(item, known, named, products, dayIn(organisation.timeZone, services.now()))),
    sites: await database
      .select({ id: sites.id, name: sites.name, address: sites.address })
      .from(sites)
      .where(and(eq(sites.organisationId, organisationId), isNull(sites.removedAt)))
      .orderBy(asc(sites.id)),
    people: { yours: await peopleOf(database, eq(organisations.id, organisationId)), ours },
  };
}

/** `none` means that nothing was bought yet. */
export async function stateOfOnboarding(
  database: Database,
  scope: Scope<"organisation">,
): Promise<Onboarding["state"]> {
  const [opened] = await database
    .select({ doneAt: onboardings.doneAt })
    .from(onboardings)
    .where(eq(onboardings.organisationId, organisationOf(scope)));
  if (!opened) return "none";
  return opened.doneAt ? "done" : "open";
}

/** The lines of a checklist; for device types, only those that a contract holds on that day or later. */
export async function readItems(
  database: Database | Transaction,
  organisationId: string,
  today: string,
): Promise<ItemRow[]> {
  const contracted = await contractedTypes(database, organisationId, today);
  const items = await database
    .select()
    .from(onboardingItems)
    .where(eq(onboardingItems.organisationId, organisationId))
    .orderBy(asc(onboardingItems.key), asc(onboardingItems.id));
  return items
    .filter(({ kind, key }) => kind !== "log source" || contracted.includes(key))
    .toSorted((one, other) => onboardingKinds.indexOf(one.kind) - onboardingKinds.indexOf(other.kind));
}

function presentItem(
  item: ItemRow,
  knownOf: KnownOf,
  named: ReadonlyMap<string, string>,
  products: ReadonlyMap<string, string[]>,
  today: string,
): OnboardingItem {
  const known = knownOf(item);
  const state = stateOf(item, knownOf);
  const { id, kind, side, dueOn, note, version } = item;
  return {
    id,
    kind,
    title: titleOf(item),
    steps: kind === "log source" ? [...wayOf(typeOf(item)).steps] : steps[kind],
    products: products.get(item.key) ?? [],
    side,
    owner: item.ownerId ? { id: item.ownerId, name: named.get(item.ownerId) ?? "" } : null,
    dueOn,
    overdue: state !== "done" && dueOn < today,
    state,
    known: known?.says ?? null,
    ticked:
      item.tickedBy && item.tickedAt ? { by: named.get(item.tickedBy) ?? "", at: item.tickedAt.toISOString() } : null,
    byHand: known === undefined,
    note,
    version,
  };
}

/** What engines report overrides people's ticks: a tick says nothing if the engine reports the source as silent. */
export function stateOf(item: Pick<ItemRow, "kind" | "key" | "tickedAt">, knownOf: KnownOf): OnboardingItem["state"] {
  const known = knownOf(item);
  if (!known) return item.tickedAt ? "done" : "open";
  if (known.done === null) return "unknown";
  return known.done ? "done" : "open";
}

export const titleOf = (item: Pick<ItemRow, "kind" | "key">): string =>
  item.kind === "log source" ? `Connect ${typeOf(item).deviceType}` : titles[item.kind];

export function typeOf({ key }: Pick<ItemRow, "key">) {
  const [service = "", deviceType = ""] = key.split("|");
  return { service, deviceType };
}

async function namesOf(database: Database, items: readonly ItemRow[]): Promise<Map<string, string>> {
  const ids = items.flatMap(({ ownerId, tickedBy }) => [ownerId, tickedBy]).filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const found = await database
    .select({ id: people.id, name: sql<string>`${people.firstName} || ' ' || ${people.lastName}` })
    .from(people)
    .where(inArray(people.id, ids));
  return new Map(found.map(({ id, name }) => [id, name]));
}

const peopleOf = (database: Database, where: ReturnType<typeof eq>) =>
  database
    .select({ id: people.id, name: sql<string>`${people.firstName} || ' ' || ${people.lastName}` })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(where, isThere))
    .orderBy(asc(people.id));

/** Catalogue products for each type of device, with their log formats, by the item's key. */
async function productsOf(database: Database, items: readonly ItemRow[]): Promise<Map<string, string[]>> {
  const types = items.filter(({ kind }) => kind === "log source");
  const categories = [...new Set(types.flatMap((item) => wayOf(typeOf(item)).categories))];
  if (categories.length === 0) return new Map();
  const found = await database
    .select({ product: logSources.product, category: logSources.category, format: logSources.format })
    .from(logSources)
    .where(and(inArray(logSources.category, categories), eq(logSources.retired, false)))
    .orderBy(asc(logSources.product), asc(logSources.id));
  return new Map(
    types.map((item) => {
      const { categories: own } = wayOf(typeOf(item));
      const products = found.filter(({ category }) => own.includes(category));
      return [item.key, products.slice(0, productsShown).map(({ product, format }) => `${product} (${format})`)];
    }),
  );
}

/**
 * The progress of a customer's onboarding, for dashboards and reports, which have the organisation's id from a scope or
 * a job. Once it is done, nothing is open: coverage reports devices that fall silent later.
 */
export async function onboardingOf(
  database: Database | Transaction,
  organisationId: string,
  now = new Date(),
): Promise<{
  state: Onboarding["state"];
  done: number;
  open: { title: string; side: OnboardingItem["side"]; dueOn: string; overdue: boolean; unknown: boolean }[];
}> {
  const [opened] = await database.select().from(onboardings).where(eq(onboardings.organisationId, organisationId));
  if (!opened) return { state: "none", done: 0, open: [] };
  const items = await readItems(database, organisationId, writtenDay(now));
  if (opened.doneAt) return { state: "done", done: items.length, open: [] };
  const known = await readKnown(database, organisationId, now);
  const today = dayIn(await timeZoneOf(database, organisationId), now);
  const open = items
    .map((item) => ({ item, state: stateOf(item, known) }))
    .filter(({ state }) => state !== "done")
    .map(({ item, state }) => ({
      title: titleOf(item),
      side: item.side,
      dueOn: item.dueOn,
      overdue: item.dueOn < today,
      unknown: state === "unknown",
    }));
  return { state: "open", done: items.length - open.length, open };
}
