import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { obligationFilings, obligationWarnings, onboardings, regulatorFacts, sites } from "../database/schema/index.ts";

/**
 * Moves onboarding, attested facts and filings when two customers are merged. Of checklist lines that both have, the
 * remaining customer's stays. So does its entity class for regulators; the moved versions are numbered before its own.
 */
export async function moveOnboarding(transaction: Transaction, from: string, into: string): Promise<void> {
  await transaction.execute(sql`update onboardings set organisation_id = ${into} where organisation_id = ${from}
    and not exists (select from onboardings other where other.organisation_id = ${into})`);
  const { rowCount: brought } =
    await transaction.execute(sql`update onboarding_items item set organisation_id = ${into} where organisation_id = ${from}
    and not exists (select from onboarding_items other
      where other.organisation_id = ${into} and other.kind = item.kind and other.key = item.key)`);
  // As when an order adds lines; a run closes the onboarding again if they are done.
  if (brought) await transaction.update(onboardings).set({ doneAt: null }).where(eq(onboardings.organisationId, into));
  const move = { organisationId: into };
  await transaction.update(sites).set(move).where(eq(sites.organisationId, from));
  await transaction.update(regulatorFacts).set(move).where(eq(regulatorFacts.organisationId, from));
  await transaction.update(obligationFilings).set(move).where(eq(obligationFilings.organisationId, from));
  await transaction.update(obligationWarnings).set(move).where(eq(obligationWarnings.organisationId, from));
  await transaction.execute(sql`update entity_class_versions set organisation_id = ${into}, version = version + coalesce(
      (select min(version) - 1 from entity_class_versions where organisation_id = ${into})
        - (select max(version) from entity_class_versions where organisation_id = ${from}), 0)
    where organisation_id = ${from}`);
}
