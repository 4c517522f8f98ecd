import { and, eq } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";
import type { Input } from "../../contract/operations.ts";
import { contractNumber } from "../../contract/numbers.ts";
import { areaOf } from "../../contract/roles.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { lessRequests, people } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { type Contract, lockContract, refuseEnded, todayInIndia } from "./find-contract.ts";
import { mostToTake } from "./line-changes.ts";
import { rowsOfSeries } from "./lines.ts";

type Asked = Input<"user/contracts/ask-less">;

/**
 * Requests fewer devices of a line, by its customer or our team; nothing changes until an administrator agrees. A
 * repeated id makes one request.
 * @throws Failure not_found, conflict, invalid
 */
export async function askForLess(
  services: Services,
  scope: Scope<"organisation" | "any">,
  asked: Asked,
): Promise<void> {
  const { personId } = scope.actor;
  await services.database.transaction(async (transaction) => {
    const contract = await lockContract(transaction, scope, asked.contract_id);
    const [known] = await transaction.select().from(lessRequests).where(eq(lessRequests.id, asked.id));
    if (known) {
      const { series, quantity, reason, wished_on: wishedOn } = asked;
      if (isDeepStrictEqual({ ...known, contractId: contract.id, series, quantity, reason, wishedOn }, known)) return;
      throw new Failure("conflict", "Another request has this id. Please reload the page and try again.");
    }
    const devices = await refuseUnaskable(services, transaction, contract, asked);
    const { id, series, quantity, reason } = asked;
    const request = { id, contractId: contract.id, series, quantity, reason, wishedOn: asked.wished_on };
    await transaction.insert(lessRequests).values({ ...request, askedBy: personId, askedAt: services.now() });
    await audit(transaction, personId, "ask for less", `contract:${contract.id}`, { devices, on: asked.wished_on });
    const facts = { ...factsOf(contract), devices, byUs: scope.reach === "any" };
    await notify(transaction, "less asked", id, facts, { except: personId });
  });
}

export const factsOf = ({ organisationName, serial, endsOn }: Contract) => ({
  organizationName: organisationName,
  contractNumber: contractNumber(serial),
  endsOn,
});

/** Returns the devices in words. @throws Failure not_found, conflict, invalid */
async function refuseUnaskable(
  services: Services,
  transaction: Transaction,
  contract: Contract,
  { series, quantity, wished_on }: Asked,
): Promise<string> {
  const today = todayInIndia(services);
  refuseEnded(contract, today);
  const rows = await rowsOfSeries(transaction, contract.id, series);
  const [first] = rows;
  if (!first) throw notFound("This line");
  if (wished_on < today || wished_on > contract.endsOn) {
    throw invalidField("wished_on", "Please choose a day from today to the end of the contract");
  }
  const most = mostToTake(rows, wished_on);
  if (quantity > most) {
    const sentence = most === 0 ? "This line holds no devices on that day" : `At most ${most} can be taken away`;
    throw new Failure("conflict", sentence, { fields: { quantity: sentence } });
  }
  const open = and(
    eq(lessRequests.contractId, contract.id),
    eq(lessRequests.series, series),
    eq(lessRequests.state, "asked"),
  );
  if ((await transaction.$count(lessRequests, open)) > 0)
    throw new Failure(
      "conflict",
      "Fewer of these are asked for already. Please have that decided, or taken back, before you ask anew.",
    );
  return `${quantity} × ${first.deviceType}`;
}

/** Withdraws a customer's request that is still undecided. @throws Failure not_found, conflict */
export async function withdrawLess(services: Services, scope: Scope<"organisation">, id: string): Promise<void> {
  const { personId } = scope.actor;
  await services.database.transaction(async (transaction) => {
    const [request] = await transaction
      .select({ contractId: lessRequests.contractId, askedAs: people.role })
      .from(lessRequests)
      .innerJoin(people, eq(people.id, lessRequests.askedBy))
      .where(eq(lessRequests.id, id));
    if (!request) throw notFound("This request");
    const contract = await lockContract(transaction, scope, request.contractId);
    if (isOurs(request.askedAs))
      throw new Failure("conflict", "We asked for this ourselves. Please write to us about it.");
    const [withdrawn] = await transaction
      .update(lessRequests)
      .set({ state: "withdrawn", decidedBy: personId, decidedAt: services.now() })
      .where(and(eq(lessRequests.id, id), eq(lessRequests.state, "asked")))
      .returning({ id: lessRequests.id });
    if (!withdrawn) throw new Failure("conflict", "This request is decided already.");
    await audit(transaction, personId, "withdraw less", `contract:${contract.id}`);
  });
}

/** Whether our team made the request, not the customer. */
export const isOurs = (askedAs: typeof people.$inferSelect.role): boolean => areaOf(askedAs) === "admin";
