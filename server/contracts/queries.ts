import { sql } from "drizzle-orm";
import {
  type Contract as Shown,
  contractList,
  type ContractQuery,
  type RenewalState,
} from "../../contract/contracts.ts";
import { limits } from "../../contract/limits.ts";
import { rupees } from "../../contract/money.ts";
import { contractNumber } from "../../contract/numbers.ts";
import { daysAfter, daysFrom } from "../../contract/proration.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, partnerOf, type Scope } from "../access/scope.ts";
import { alwaysJoined, type Condition, joined, listFrom, ofPartner, type RowOf } from "../database/list.ts";
import { listPage } from "../database/list-page.ts";
import { contracts, orders, quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { stateOn, todayInIndia } from "./find-contract.ts";

/** Sums over a contract's last day, which is what a renewal renews. */
const atEnd = (what: string) =>
  sql`(select coalesce(sum(${sql.raw(what)}), 0) from contract_lines
    where contract_lines.contract_id = contracts.id and contract_lines.ends_on = contracts.ends_on
      and contract_lines.starts_on <= contracts.ends_on)`;

export const allContracts = listFrom(contractList, {
  table: contracts,
  fields: {
    id: contracts.id,
    serial: contracts.serial,
    organizationName: contracts.organisationName,
    email: alwaysJoined(orders.buyerEmail),
    startsOn: sql<string>`${contracts.startsOn}::text`,
    endsOn: sql<string>`${contracts.endsOn}::text`,
    renewalChosenAt: contracts.renewalChosenAt,
    toDecide: contracts.toDecide,
    ratesUntil: sql<string[]>`(select coalesce(json_agg(valid_until), '[]') from quotes as added
      where added.contract_id = contracts.id and added.rates_to_confirm)`,
    devices: sql<string>`${atEnd("quantity")}::text`,
    yearlyPaise: sql<string>`round(${atEnd("quantity * rate_paise * (10000 - discount_basis_points) / 10000.0")})::text`,
    renewed: sql<boolean>`(select count(*) > 0 from contracts as next where next.renews = contracts.id)`,
    renewalUntil: joined(quotes.validUntil),
    renewalDecision: joined(quotes.decision),
  },
  joins: sql`join orders on orders.id = contracts.order_id
    left join quotes on quotes.contract_id = contracts.id and quotes.term->>'kind' = 'renew'`,
  id: contracts.id,
  searched: contracts.searched,
  sorts: {
    organization_name: sql`lower(${contracts.organisationName})`,
    starts_on: contracts.startsOn,
    ends_on: contracts.endsOn,
  },
});
export type ContractRow = RowOf<(typeof allContracts)["fields"]>;

const contractsOfPartner = { ...allContracts, ...ofPartner(contracts) };
/** $1 is the current time: an addition waits for its rates as long as it can be bought. */
const contractsToDecide = {
  ...allContracts,
  where: sql`${contracts.id} = any (array(
    select id from contracts as waiting where to_decide > 0
    union
    select contract_id from quotes as added where rates_to_confirm and contract_id is not null and valid_until >= $1))`,
};

/** By the last day, unless another sort is asked for. */
const soonest = (query: ContractQuery): ContractQuery => ({ ...query, sort: query.sort ?? "ends_on" });

/** The contracts of a partner's customers, or of the one customer with this e-mail. */
export async function listContractsOfPartner(
  services: Services,
  scope: Scope<"customers">,
  { email, ...query }: ContractQuery & { email?: string | undefined },
) {
  const narrowed: Condition[] = narrowedBy(services, query);
  if (email !== undefined) {
    const customer = await reachCustomer(services.database, scope, email);
    narrowed.push({ column: contracts.organisationId, compared: "=", value: organisationOf(customer) });
  }
  return page(services, contractsOfPartner, partnerOf(scope), query, narrowed);
}

export const listAllContracts = (services: Services, _scope: Scope<"any">, query: ContractQuery) =>
  query.show === "to_decide"
    ? page(services, contractsToDecide, services.now().toISOString(), query, [])
    : page(services, allContracts, null, query, narrowedBy(services, query));

function narrowedBy(services: Services, { show }: ContractQuery): Condition[] {
  if (show !== "ends_soon") return [];
  const today = todayInIndia(services);
  return [
    { column: contracts.endsOn, compared: ">=", value: today },
    { column: contracts.endsOn, compared: "<", value: daysAfter(today, limits.renewalStages[0] + 1) },
  ];
}

async function page(
  services: Services,
  list: typeof allContracts,
  owner: string | null,
  query: ContractQuery,
  narrowed: readonly Condition[],
) {
  const { rows, ...rest } = await listPage(services.database, list, owner, soonest(query), narrowed);
  return { contracts: rows.map((row) => presentContract(services, row)), ...rest };
}

export function presentContract(services: Services, row: ContractRow): Shown {
  const today = todayInIndia(services);
  const first = row.startsOn > today ? row.startsOn : today;
  return {
    id: row.id,
    number: contractNumber(row.serial),
    organization_name: row.organizationName,
    email: row.email,
    starts_on: row.startsOn,
    ends_on: row.endsOn,
    days_left: Math.max(0, daysFrom(first, row.endsOn)),
    state: stateOn(row, today),
    devices: Number(row.devices),
    yearly: rupees(Number(row.yearlyPaise)),
    renewal: renewalOf(row, services.now()),
    renews_itself: row.renewalChosenAt !== null,
    to_decide: row.toDecide + row.ratesUntil.filter((until) => new Date(until) >= services.now()).length,
  };
}

function renewalOf({ renewed, renewalUntil, renewalDecision }: ContractRow, now: Date): RenewalState {
  if (renewed) return "renewed";
  if (renewalUntil === null) return "none";
  if (renewalDecision === "declined") return "declined";
  if (renewalUntil < now) return "expired";
  return renewalDecision === "accepted" ? "accepted" : "quoted";
}
