import { desc, eq, lte } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type Agreement, shippedAgreement } from "../../contract/incident-agreement.ts";
import type { LevelVersion } from "../../contract/incident-levels.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { people, serviceLevelVersions } from "../database/schema/index.ts";
import { Failure, invalidField } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** The service levels that apply to an incident. Number 0 is the shipped sample. */
export interface Levels {
  number: number;
  isSample: boolean;
  agreement: Agreement;
}

const shipped: Levels = { number: 0, isSample: true, agreement: shippedAgreement };

/** The version in force at an instant: a version published later changes no incident that had begun. */
export async function levelsAt(database: Database | Transaction, at: Date): Promise<Levels> {
  const [held] = await database
    .select()
    .from(serviceLevelVersions)
    .where(lte(serviceLevelVersions.holdsFrom, at))
    .orderBy(desc(serviceLevelVersions.holdsFrom), desc(serviceLevelVersions.number))
    .limit(1);
  return held ?? shipped;
}

/** The same lookup for many instants, in one statement. */
export async function readLevels(database: Database | Transaction): Promise<(at: Date) => Levels> {
  const versions = await database
    .select()
    .from(serviceLevelVersions)
    .orderBy(desc(serviceLevelVersions.holdsFrom), desc(serviceLevelVersions.number));
  return (at) => versions.find(({ holdsFrom }) => holdsFrom <= at) ?? shipped;
}

const maker = alias(people, "maker");

/** All versions, newest first, then the shipped sample. */
export async function listLevels(services: Services, _scope: Scope<"any">) {
  const rows = await services.database
    .select({ version: serviceLevelVersions, firstName: maker.firstName, lastName: maker.lastName })
    .from(serviceLevelVersions)
    .leftJoin(maker, eq(maker.id, serviceLevelVersions.createdBy))
    .orderBy(desc(serviceLevelVersions.number));
  const versions = rows.map(({ version, firstName, lastName }): LevelVersion => ({
    number: version.number,
    holds_from: version.holdsFrom.toISOString(),
    is_sample: version.isSample,
    agreement: version.agreement,
    made_by: firstName === null ? null : `${firstName} ${lastName}`,
    made_at: version.createdAt.toISOString(),
  }));
  const sample: LevelVersion = {
    number: 0,
    holds_from: new Date(0).toISOString(),
    is_sample: true,
    agreement: shippedAgreement,
    made_by: null,
    made_at: null,
  };
  return { versions: [...versions, sample], in_force: (await levelsAt(services.database, services.now())).number };
}

/**
 * Publishes service levels in force from now or from a later instant.
 * @throws Failure conflict; invalid for an instant in the past
 */
export async function publishLevels(
  services: Services,
  { actor }: Scope<"any">,
  { after, holds_from, agreement }: Input<"admin/service-levels/post">,
): Promise<string> {
  const now = services.now();
  const holdsFrom = holds_from ? new Date(holds_from) : now;
  if (holdsFrom < now) {
    throw invalidField(
      "holds_from",
      "Please choose a time that is not in the past: what has happened keeps the limits of then.",
    );
  }
  return services.database.transaction(async (transaction) => {
    const [newest] = await transaction
      .select({ number: serviceLevelVersions.number, agreement: serviceLevelVersions.agreement })
      .from(serviceLevelVersions)
      .orderBy(desc(serviceLevelVersions.number))
      .limit(1);
    const number = after + 1;
    const [made] =
      (newest?.number ?? 0) === after
        ? await transaction
            .insert(serviceLevelVersions)
            .values({ number, holdsFrom, isSample: false, agreement, createdAt: now, createdBy: actor.personId })
            .onConflictDoNothing()
            .returning({ id: serviceLevelVersions.id })
        : [];
    if (!made)
      throw new Failure("conflict", "Somebody else has published service levels meanwhile. Reload to see them.");
    await audit(transaction, actor.personId, "publish service levels", `service levels:${number}`, {
      before: newest?.agreement ?? shippedAgreement,
      after: agreement,
      from: holdsFrom.toISOString(),
    });
    return `Published as version ${number}. Incidents keep the version they began with.`;
  });
}
