import { and, asc, eq, gt, gte, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { daysAfter } from "../../contract/proration.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { contracts, orders, quotes, trueUps } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { doEach, pageOfJob } from "../jobs/do-each.ts";
import { notify } from "../notices/notify.ts";
import { tellQuoteMade } from "../quotes/tell-quote.ts";
import { currentRateCard, type RateCardRow } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { coTermed, keepAddition } from "./add-devices.ts";
import { factsOf } from "./ask-for-less.ts";
import { type Contract, todayInIndia } from "./find-contract.ts";
import { contractedOf, type DeviceType, gainedSince } from "./held-of-type.ts";
import { devicesAtEnd, linesOn } from "./lines.ts";

export type TrueUpRow = typeof trueUps.$inferSelect;

/**
 * Compares the devices connected last month with what contracts hold, announces those beyond contract and tolerance,
 * and bills what was announced long enough ago and is undisputed. Without snapshots nothing happens; running it again
 * changes nothing.
 */
export async function trueUpContracts(services: Services): Promise<void> {
  await doEach(
    services,
    "a true-up could not be announced",
    (after: Connected | undefined) => findConnected(services, after),
    (found) => services.database.transaction((transaction) => announce(services, transaction, found)),
  );
  const card = await currentRateCard(services);
  await doEach(
    services,
    "a true-up could not be billed",
    (after: { id: string } | undefined) => findToBill(services, after),
    ({ id }) => services.database.transaction((transaction) => billTrueUp(services, transaction, card, id)),
  );
}

const findToBill = (services: Services, after: { id: string } | undefined) =>
  services.database
    .select({ id: trueUps.id })
    .from(trueUps)
    .where(
      and(
        eq(trueUps.state, "announced"),
        lte(trueUps.billOn, todayInIndia(services)),
        after && gt(trueUps.id, after.id),
      ),
    )
    .orderBy(asc(trueUps.id))
    .limit(pageOfJob);

interface Connected {
  organisationId: string;
  service: string;
  deviceType: string;
  connected: number;
  /** The 95th percentile over the days of the devices beyond that day's contract and tolerance. */
  beyond: number;
  month: string;
}

/**
 * The 95th percentile for each organisation and type, over the days of last month on which a contract ran. On a day
 * with counts but none of this type, the type counts as zero.
 */
async function findConnected(services: Services, after: Connected | undefined): Promise<Connected[]> {
  const [year = 0, thisMonth = 0] = todayInIndia(services).split("-").map(Number);
  const month = new Date(Date.UTC(year, thisMonth - 2, 1)).toISOString().slice(0, 10);
  const next = new Date(Date.UTC(year, thisMonth - 1, 1)).toISOString().slice(0, 10);
  const beyond = after
    ? sql`and (organisation_id, service, device_type) > (${after.organisationId}::uuid, ${after.service}, ${after.deviceType})`
    : sql``;
  const { rows } = await services.database.execute<Omit<Connected, "month"> & Record<string, unknown>>(sql`
    with counted as not materialized (
      select * from usage_snapshots where day >= ${month}::date and day < ${next}::date and exists (select from contracts
        where contracts.organisation_id = usage_snapshots.organisation_id and day between starts_on and ends_on)),
    types as (
      select distinct organisation_id, service, device_type from counted where true ${beyond}
      order by organisation_id, service, device_type limit ${pageOfJob}),
    days as (
      select distinct organisation_id, day from counted where organisation_id in (select organisation_id from types))
    select organisation_id as "organisationId", service, device_type as "deviceType",
      percentile_disc(0.95) within group (order by coalesce(connected, 0)) as connected,
      percentile_disc(0.95) within group (order by coalesce(connected - contracted
        - ceil(contracted * ${services.env.trueUpTolerancePercent}::int / 100.0)::int, 0)) as beyond
    from types join days using (organisation_id)
      left join usage_snapshots using (organisation_id, day, service, device_type)
    group by organisation_id, service, device_type order by organisation_id, service, device_type`);
  return rows.map((row) => ({ ...row, month }));
}

/** How many devices may be connected without a true-up: the contract's plus the operator's tolerance. */
const tolerated = (contracted: number, percent: number) => contracted + Math.ceil((contracted * percent) / 100);

async function announce(services: Services, transaction: Transaction, found: Connected): Promise<void> {
  const contract = await findRunning(services, transaction, found);
  if (!contract) return;
  const { service, deviceType, connected, beyond, month } = found;
  // A month in which another contract, or none, held the devices is not billed to this contract.
  if (contract.startsOn.slice(0, 7) > month.slice(0, 7)) return;
  const contracted = await contractedOf(services, transaction, contract, found);
  // Devices that the contract held in that month were not extra, even if it holds fewer now.
  const extra = Math.min(beyond, connected - tolerated(contracted, services.env.trueUpTolerancePercent));
  if (extra <= 0 || (await isOpen(services, transaction, contract, found))) return;
  const billOn = daysAfter(todayInIndia(services), limits.trueUpNoticeDays);
  const [made] = await transaction
    .insert(trueUps)
    .values({
      contractId: contract.id,
      month,
      service,
      deviceType,
      connected,
      contracted,
      extra,
      announcedAt: services.now(),
      billOn,
    })
    .onConflictDoNothing()
    .returning({ id: trueUps.id });
  if (!made) return;
  const devices = `${extra} × ${deviceType}`;
  await audit(transaction, null, "announce true-up", `contract:${contract.id}`, { devices, month, billOn });
  const { organisationId } = contract;
  await notify(
    transaction,
    "true-up announced",
    made.id,
    { ...factsOf(contract), devices, billOn },
    { organisationId },
  );
}

/** The contract that runs today and holds the type, or else the one that runs longest; locked. */
async function findRunning(
  services: Services,
  transaction: Transaction,
  found: Connected,
): Promise<Contract | undefined> {
  const today = todayInIndia(services);
  const running = await transaction
    .select()
    .from(contracts)
    .where(
      and(
        eq(contracts.organisationId, found.organisationId),
        sql`${contracts.startsOn} <= ${today}::date and ${contracts.endsOn} >= ${today}::date`,
      ),
    )
    .orderBy(sql`${contracts.endsOn} desc, ${contracts.id}`)
    .for("update");
  for (const contract of running) {
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    const rows = await linesOn(transaction, contract, today);
    if (rows.some((row) => isOfType(row.key, found))) return contract;
  }
  return running[0];
}

const isOfType = (key: DeviceType, found: DeviceType) =>
  key.service === found.service && key.deviceType === found.deviceType;

/**
 * Whether a true-up of this type, in any of the organisation's contracts, is announced, disputed, or quoted and can
 * still be bought, or was made for this month: devices that are still connected make no second one.
 */
const isOpen = async (
  services: Services,
  transaction: Transaction,
  { organisationId }: Contract,
  { service, deviceType, month }: Connected,
) =>
  (await transaction.$count(
    trueUps,
    and(
      inArray(trueUps.contractId, contractsOf(transaction, organisationId)),
      eq(trueUps.service, service),
      eq(trueUps.deviceType, deviceType),
      or(
        eq(trueUps.month, month),
        inArray(trueUps.state, ["announced", "disputed"]),
        and(eq(trueUps.state, "billed"), inArray(trueUps.quoteId, unboughtOf(services, transaction))),
      ),
    ),
  )) > 0;

const contractsOf = (transaction: Transaction, organisationId: string) =>
  transaction.select({ id: contracts.id }).from(contracts).where(eq(contracts.organisationId, organisationId));

/** Quotes that can be bought or have a payment under way. Once a quote is bought, the contract holds its devices. */
const unboughtOf = ({ now }: Services, transaction: Transaction) =>
  transaction
    .select({ id: quotes.id })
    .from(quotes)
    .leftJoin(orders, eq(orders.quoteId, quotes.id))
    .where(
      or(
        and(or(isNull(orders.id), inArray(orders.state, ["failure", "expired"])), gte(quotes.validUntil, now())),
        inArray(orders.state, ["initiated", "pending", "review", "awaiting_transfer"]),
      ),
    );

/** How many devices were quoted, or why none were. */
export type Billing = { quoted: number } | { dropped: string };

/**
 * Quotes the extra devices from today on: fewer, or none, if the contract holds more of them by now. Null if there is
 * nothing left to bill.
 */
export async function billTrueUp(
  services: Services,
  transaction: Transaction,
  card: RateCardRow,
  id: string,
): Promise<Billing | null> {
  const [known] = await transaction.select().from(trueUps).where(eq(trueUps.id, id));
  if (!known) return null;
  const [contract] = await transaction.select().from(contracts).where(eq(contracts.id, known.contractId)).for("update");
  const [trueUp] = await transaction.select().from(trueUps).where(eq(trueUps.id, id));
  if (!contract || trueUp?.state !== "announced") return null;
  const today = todayInIndia(services);
  const { service, deviceType, connected } = trueUp;
  // Only the gain since the announcement counts, so that devices of a customer merged in meanwhile don't.
  const held = trueUp.contracted + (await gainedSince(services, transaction, contract, trueUp));
  const number = Math.min(trueUp.extra, connected - tolerated(held, services.env.trueUpTolerancePercent));
  const end = async (why: string) => ({ dropped: await drop(services, transaction, trueUp, why) });
  if (number <= 0) return end("The contract holds them by now.");
  if (contract.endsOn < today) return end("The contract has ended.");
  const all = await devicesAtEnd(transaction, contract);
  const count = all.reduce((sum, { quantity }) => sum + quantity, 0);
  const device = { service, deviceType, number };
  const priced = priceOrNull(() => coTermed(card, contract, [device], { from: today, held: count, kind: "true up" }));
  if (!priced) return end("The type is not offered any more.");
  const made = await keepAddition(services, transaction, card, contract, priced, {});
  if (!made) throw new Error("The true-up was not quoted");
  await transaction.update(trueUps).set({ state: "billed", quoteId: made.id, extra: number }).where(eq(trueUps.id, id));
  await audit(transaction, null, "bill true-up", `contract:${contract.id}`, { quote: quoteNumber(made.serial) });
  await tellQuoteMade(services, transaction, made.id, null);
  return { quoted: number };
}

/** Null for a type that the card does not have or has retired. */
function priceOrNull<Priced>(price: () => Priced): Priced | null {
  try {
    return price();
  } catch (error) {
    if (error instanceof Failure && error.code === "invalid") return null;
    throw error;
  }
}

/** Ends a true-up without a bill and returns the reason. */
export async function drop(
  services: Services,
  transaction: Transaction,
  { id, contractId }: TrueUpRow,
  answer: string,
  decidedBy: string | null = null,
): Promise<string> {
  await transaction
    .update(trueUps)
    .set({ state: "dropped", answer, decidedBy, decidedAt: services.now() })
    .where(eq(trueUps.id, id));
  await audit(transaction, decidedBy, "drop true-up", `contract:${contractId}`, { answer });
  return answer;
}
