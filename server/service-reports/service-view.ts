import { eq } from "drizzle-orm";
import { coverageReasons } from "../../contract/coverage-words.ts";
import { byEnd } from "../../contract/obligation-words.ts";
import type { OpenObligation, RegulatorClockState } from "../../contract/obligations.ts";
import type { OrderState } from "../../contract/orders.ts";
import type { ServiceView } from "../../contract/service-view.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { allContracts, presentContract } from "../contracts/queries.ts";
import { todayInIndia } from "../contracts/find-contract.ts";
import { coverageOf } from "../coverage/coverage-of.ts";
import type { Condition } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { contracts, incidents } from "../database/schema/index.ts";
import { openObligationsOf } from "../obligations/open-obligations.ts";
import { actionsAskedOf, countOpenIncidents, openIncidentsOf, runningClocksOf } from "../incidents/open-incidents.ts";
import { onboardingOf } from "../onboarding/read-onboarding.ts";
import { listQuotes } from "../quotes/queries.ts";
import { isRenewalChoiceOpen } from "../quotes/quotes.ts";
import type { Services } from "../services.ts";

const shownMax = { incidents: 5, clocks: 6, actions: 8, contracts: 10, quotes: 10 };

/** The state of the service of the scope's organisation, from the last count; no devices are read. */
export async function readServiceView(services: Services, scope: Scope<"organisation">): Promise<ServiceView> {
  const { database, now } = services;
  const id = organisationOf(scope);
  const [coverage, worst, { bySeverity }, clocks, contract] = await Promise.all([
    coverageOf(database, id, now()),
    openIncidentsOf(database, id, shownMax.incidents),
    countOpenIncidents(database, eq(incidents.organisationId, id)),
    readClocks(services, id),
    readContract(services, id),
  ]);
  const actions = await readActions(services, id, coverage, contract);
  const quote = contract === null ? await readQuote(services, scope) : null;
  return {
    coverage: sumOf(coverage),
    incidents: {
      bySeverity,
      worst: worst.map(({ id: incident, number, title, severity, state }) => ({
        id: incident,
        number,
        title,
        severity,
        state,
      })),
    },
    clocks,
    actions: actions.slice(0, shownMax.actions),
    moreActions: Math.max(0, actions.length - shownMax.actions),
    contract,
    quote,
  };
}

type Coverage = Awaited<ReturnType<typeof coverageOf>>;
type Clock = ServiceView["clocks"][number];

function sumOf({ lines, asOf, notContracted, unknownSince }: Coverage): ServiceView["coverage"] {
  const sum = (of: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    asOf,
    contracted: sum(({ contracted }) => contracted),
    connected: sum(({ connected }) => connected),
    silent: sum(({ silent }) => silent),
    neverConnected: sum(({ neverConnected }) => neverConnected),
    unknown: sum(({ unknown }) => unknown),
    missing: sum(({ missing }) => missing),
    notContracted,
    unknownSince,
  };
}

const runs: ReadonlySet<RegulatorClockState> = new Set(["overdue", "running", "at once"]);

/**
 * Of an incident's clocks that may apply, only the one that ends first: most may apply to a customer that has not said
 * what it is.
 */
const mayEndFirst = (clock: OpenObligation, _place: number, all: readonly OpenObligation[]) =>
  clock === all.find(({ state, dueAt, incidentId }) => mayEnd(state, dueAt) && incidentId === clock.incidentId);
const mayEnd = (state: RegulatorClockState, dueAt: string | null) => state === "may apply" && dueAt !== null;

/**
 * Clocks by when they run out, with reports due without delay first. Clocks that only may have applied and are over
 * take the remaining room.
 */
async function readClocks({ database, now }: Services, organisationId: string): Promise<Clock[]> {
  const promises = await runningClocksOf(database, organisationId);
  const obligations = await openObligationsOf(database, organisationId, now());
  const ofRegulator = ({ incidentId, incidentNumber: number, title, state, dueAt }: OpenObligation): Clock => ({
    of: "regulator",
    incidentId,
    number,
    title,
    state,
    dueAt,
  });
  const ofOurs = promises.map(({ incidentId, number, clock, dueAt }): Clock => ({
    of: "promise",
    incidentId,
    number,
    clock,
    dueAt: dueAt.toISOString(),
  }));
  const certain = [...obligations.filter(({ state }) => runs.has(state)).map(ofRegulator), ...ofOurs];
  const possible = obligations.filter(mayEndFirst).map(ofRegulator);
  const isOver = ({ dueAt }: Clock) => dueAt !== null && new Date(dueAt) < now();
  const coming = possible.filter((clock) => !isOver(clock));
  return [...[...certain, ...coming].toSorted(byEnd), ...possible.filter(isOver)]
    .slice(0, shownMax.clocks)
    .toSorted(byEnd);
}

/**
 * Of the running contracts, the one that ends first and is not renewed; otherwise the next one to begin or the last one
 * that ended.
 */
async function readContract(services: Services, organisationId: string): Promise<ServiceView["contract"]> {
  const ofCustomer: Condition = { column: contracts.organisationId, compared: "=", value: organisationId };
  const isNotOver: Condition = { column: contracts.endsOn, compared: ">=", value: todayInIndia(services) };
  const find = async (query: { sort: "ends_on" | "-ends_on"; limit: number }, narrowed: Condition[]) => {
    const { rows } = await listPage(services.database, allContracts, null, query, narrowed);
    return rows.map((row) => presentContract(services, row));
  };
  const next = await find({ sort: "ends_on", limit: shownMax.contracts }, [ofCustomer, isNotOver]);
  const running = next.filter(({ state }) => state === "running");
  const [shown] = [
    ...running.filter(({ renewal }) => renewal !== "renewed"),
    ...running,
    ...(running.length > 0 ? [] : await find({ sort: "-ends_on", limit: 1 }, [ofCustomer])),
  ];
  if (!shown) return null;
  const { number, starts_on, ends_on, days_left, renewal, renews_itself, devices } = shown;
  // A contract without devices is not renewed.
  return { number, starts_on, ends_on, days_left, renewal, renews_itself: renews_itself && devices > 0 };
}

async function readQuote(services: Services, scope: Scope<"organisation">): Promise<ServiceView["quote"]> {
  const { estimation } = await listQuotes(services, scope, { limit: shownMax.quotes });
  const quote = estimation.find(
    ({ state, decision }) => decision !== "declined" && (state === "open" || state === "preparing"),
  );
  if (!quote) return null;
  const { number, valid_until, order_status } = quote;
  return { number, valid_until, isBeingPaid: order_status !== null && paying.has(order_status) };
}

const paying: ReadonlySet<OrderState> = new Set(["pending", "review", "awaiting_transfer"]);

type Action = ServiceView["actions"][number];

async function readActions(
  services: Services,
  organisationId: string,
  { lines }: Coverage,
  contract: ServiceView["contract"],
): Promise<Action[]> {
  const { database, now } = services;
  const asked = await actionsAskedOf(database, organisationId);
  const { open } = await onboardingOf(database, organisationId, now());
  return [
    ...asked.map(({ number, incidentId, text }): Action => ({
      what: `${number}: ${text || "Answer what was asked"}`,
      place: "incident",
      id: incidentId,
      dueOn: null,
    })),
    ...lines.flatMap(({ name, reasons }) =>
      reasons
        .filter(({ reason }) => coverageReasons[reason].side === "customer")
        .map(({ reason, devices }): Action => ({
          what: `${devices} × ${name}: ${coverageReasons[reason].next}`,
          place: "coverage",
          id: null,
          dueOn: null,
        })),
    ),
    ...open
      .filter(({ side }) => side === "yours")
      .map(({ title, dueOn }): Action => ({ what: title, place: "onboarding", id: null, dueOn })),
    ...askedByContract(services, contract),
  ];
}

/** What is to be done so that a contract goes on. */
function askedByContract(services: Services, contract: ServiceView["contract"]): Action[] {
  if (contract?.renewal !== "quoted" && contract?.renewal !== "accepted") return [];
  const { number, renewal, renews_itself, ends_on } = contract;
  // It was decided by the choice, unless its day has come and the offer was too dear to be accepted by itself.
  const isDecided = renews_itself && isRenewalChoiceOpen(services, ends_on);
  if (renewal === "quoted" && isDecided) return [];
  const what =
    renewal === "accepted"
      ? `Pay for the next year of ${number}: its proposal is accepted`
      : `Decide whether ${number} goes on for another year`;
  return [{ what, place: "contract", id: null, dueOn: ends_on }];
}
