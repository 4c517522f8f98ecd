import { and, eq, exists, inArray, isNotNull, isNull, ne, or } from "drizzle-orm";
import { dayBefore, writtenDay } from "../../contract/india-time.ts";
import { daysAfter } from "../../contract/proration.ts";
import { areaOf, isChild } from "../../contract/roles.ts";
import { countOtherAdministrators, type Person } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, contractChanges, contracts, orders, organisations, people } from "../database/schema/index.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { nextRenewal } from "../people/customer-state.ts";
import type { Services } from "../services.ts";

/**
 * Why a person's data can't be erased now, as a sentence; null if it can. Money on its way, a running contract and an
 * organisation that would have nobody responsible take precedence.
 */
export async function refusalOfErasure(
  services: Services,
  transaction: Transaction,
  person: Person,
  askedBy: string,
): Promise<string | null> {
  if (person.id === askedBy) return "Nobody can have their own account erased; please ask another administrator.";
  if (person.role === "admin" && (await countOtherAdministrators(transaction, person.id)) === 0)
    return "This is the last administrator.";
  if (await isPaying(transaction, person))
    return "A payment of this person is under way. Please ask for the erasure when it has ended.";
  const runsUntil = await contractOf(services, transaction, person);
  if (runsUntil)
    return `This person answers for a contract that runs until ${runsUntil}. It can't go on without them: please ask for the erasure after that day, or have somebody else take over.`;
  if (isChild(person.role) || areaOf(person.role) === "admin") return null;
  const others = and(
    eq(people.organisationId, person.organisationId),
    ne(people.id, person.id),
    isNotNull(people.joinedAt),
    isNull(people.erasedAt),
  );
  if ((await transaction.$count(people, others)) > 0)
    return `Others sign in for ${person.organisationName}. Please make one of them answer for it first.`;
  const customers = await transaction.$count(organisations, eq(organisations.partnerId, person.organisationId));
  if (customers > 0)
    return `${person.organisationName} looks after ${customers === 1 ? "1 customer" : `${customers} customers`}. Please move them first.`;
  return null;
}

async function isPaying(transaction: Transaction, { id }: Person): Promise<boolean> {
  const began = transaction
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.orderId, orders.id), eq(attempts.startedBy, id)));
  // A gateway may still take money for what it called failed, or by a form that another one replaced.
  const asked = transaction
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.orderId, orders.id), isNotNull(attempts.nextCheckAt)));
  const open = and(
    or(
      inArray(orders.state, ["initiated", "pending", "review", "awaiting_transfer", "invoiced", "refund_pending"]),
      exists(asked),
    ),
    or(eq(orders.buyerId, id), exists(began)),
  );
  return (await transaction.$count(orders, open)) > 0;
}

/** The last day, as on paper, of a contract that the person bought or alone is responsible for; null for none. */
async function contractOf({ now }: Services, transaction: Transaction, person: Person): Promise<string | null> {
  const answersFor = !isChild(person.role) && areaOf(person.role) === "user";
  const bought = await transaction
    .select({ endsOn: contracts.endsOn })
    .from(orders)
    .innerJoin(contractChanges, eq(contractChanges.orderId, orders.id))
    .innerJoin(contracts, eq(contracts.id, contractChanges.contractId))
    .where(
      and(
        answersFor ? eq(orders.organisationId, person.organisationId) : eq(orders.buyerId, person.id),
        inArray(orders.state, ["success", "closed", "partially_refunded"]),
      ),
    );
  const renewsOn = nextRenewal(
    bought.map(({ endsOn }) => daysAfter(endsOn, 1)),
    now(),
  );
  return renewsOn !== null && renewsOn > writtenDay(now()) ? paperDay(dayBefore(renewsOn)) : null;
}
