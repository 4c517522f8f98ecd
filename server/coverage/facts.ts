import { and, eq, gte, isNull, lte, or, sql } from "drizzle-orm";
import { engineKindNames, engineKinds } from "../../contract/engine-kinds.ts";
import { writtenDay } from "../../contract/india-time.ts";
import type { Transaction } from "../database/database.ts";
import {
  contractLines,
  contracts,
  deviceDecisions,
  engineBindings,
  engineStreams,
  matchRules,
  silenceLimits,
} from "../database/schema/index.ts";
import { findDevicesOf } from "../engines/devices.ts";
import type { CoverageFacts } from "./count.ts";

/** Everything from which an organisation's current coverage is computed. */
export async function readFacts(transaction: Transaction, organisationId: string, now: Date): Promise<CoverageFacts> {
  const ofOneOrAll = (column: typeof matchRules.organisationId | typeof silenceLimits.organisationId) =>
    or(eq(column, organisationId), isNull(column));
  // One after the other, because they share the connection.
  const contracted = await readContracted(transaction, organisationId, now);
  const devices = await findDevicesOf(transaction, organisationId, now);
  const rules = await transaction.select().from(matchRules).where(ofOneOrAll(matchRules.organisationId));
  const limits = await transaction.select().from(silenceLimits).where(ofOneOrAll(silenceLimits.organisationId));
  const decisions = await transaction
    .select()
    .from(deviceDecisions)
    .where(eq(deviceDecisions.organisationId, organisationId));
  return {
    now,
    contracted,
    devices,
    rules: rules.map((rule) => ({ ...rule, own: rule.organisationId !== null })),
    limits: limits.map((limit) => ({ ...limit, own: limit.organisationId !== null })),
    decisions: new Map(
      decisions.map(({ identity, service, deviceType, notOurs, silenceMinutes }) => [
        identity,
        { type: service !== null && deviceType !== null ? { service, deviceType } : null, notOurs, silenceMinutes },
      ]),
    ),
    ...(await readBound(transaction, organisationId)),
  };
}

/** What the organisation's contracts hold today; contracts go by the day in India. */
async function readContracted(transaction: Transaction, organisationId: string, now: Date) {
  const today = writtenDay(now);
  const rows = await transaction
    .select({ key: contractLines.key, name: contractLines.deviceType, quantity: contractLines.quantity })
    .from(contractLines)
    .innerJoin(contracts, eq(contracts.id, contractLines.contractId))
    .where(
      and(
        eq(contracts.organisationId, organisationId),
        lte(contractLines.startsOn, today),
        gte(contractLines.endsOn, today),
      ),
    )
    .orderBy(contractLines.service, contractLines.deviceType, contractLines.series);
  return rows.map(({ key, name, quantity }) => ({ ...key, name, quantity }));
}

const devicesKinds = engineKindNames.filter((kind) => engineKinds[kind].watchesDevices);

/** For engines that list devices: whether one is bound, and since when one has never answered. */
async function readBound(transaction: Transaction, organisationId: string) {
  const bound = await transaction
    .select({
      connectedAt: engineBindings.connectedAt,
      failingSince: engineStreams.failingSince,
      lastAnswerAt: engineStreams.lastAnswerAt,
    })
    .from(engineBindings)
    .leftJoin(engineStreams, and(eq(engineStreams.bindingId, engineBindings.id), eq(engineStreams.stream, "devices")))
    .where(
      and(
        eq(engineBindings.organisationId, organisationId),
        isNull(engineBindings.removedAt),
        sql`${engineBindings.kind} = any (${sql.param(devicesKinds)}::text[])`,
      ),
    )
    .orderBy(engineBindings.createdAt);
  const silent = bound.find(({ lastAnswerAt }) => lastAnswerAt === null);
  return { isBound: bound.length > 0, neverAnsweredSince: silent ? (silent.failingSince ?? silent.connectedAt) : null };
}
