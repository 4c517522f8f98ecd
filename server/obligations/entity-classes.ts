import { desc, eq, sql } from "drizzle-orm";
import type { EntityClass } from "../../contract/entity-classes.ts";
import type { ClassesSaid } from "../../contract/obligations.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { entityClassVersions, organisations, people } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** What an organisation last said it is to regulators; version 0 if it has said nothing. */
export const readClasses = async (database: Database | Transaction, organisationId: string): Promise<ClassesSaid> =>
  (await readClassesOfAll(database, [organisationId]))(organisationId);

/** The same for many organisations, in one statement. */
export async function readClassesOfAll(
  database: Database | Transaction,
  organisationIds: readonly string[],
): Promise<(organisationId: string) => ClassesSaid> {
  const rows = await database
    .selectDistinctOn([entityClassVersions.organisationId], {
      row: entityClassVersions,
      name: sql<string>`${people.firstName} || ' ' || ${people.lastName}`,
    })
    .from(entityClassVersions)
    .innerJoin(people, eq(people.id, entityClassVersions.setBy))
    .where(isOneOf(entityClassVersions.organisationId, organisationIds))
    .orderBy(entityClassVersions.organisationId, desc(entityClassVersions.version));
  return (organisationId) => {
    const said = rows.find(({ row }) => row.organisationId === organisationId);
    if (!said) return { classes: [], version: 0, set: null };
    const { classes, version, createdAt } = said.row;
    return { classes, version, set: { name: said.name, at: createdAt.toISOString() } };
  };
}

/** The classes that the clocks use: null if nobody has said anything, or everything was taken back. */
export const knownClasses = ({ classes }: ClassesSaid): EntityClass[] | null => (classes.length > 0 ? classes : null);

/** Stores what an organisation says it is, with who and when. @throws Failure conflict if somebody else was faster */
export async function sayClasses(
  services: Services,
  scope: Scope<"organisation">,
  said: { classes: EntityClass[]; version: number },
): Promise<void> {
  const organisationId = organisationOf(scope);
  const classes = [...new Set(said.classes)].toSorted();
  await services.database.transaction(async (transaction) => {
    await transaction.select().from(organisations).where(eq(organisations.id, organisationId)).for("update");
    const before = await readClasses(transaction, organisationId);
    if (before.version !== said.version)
      throw new Failure("conflict", "Somebody else has given another answer meanwhile. Please reload the page.");
    await transaction.insert(entityClassVersions).values({
      organisationId,
      version: before.version + 1,
      classes,
      setBy: scope.actor.personId,
      createdAt: services.now(),
    });
    await audit(transaction, scope.actor.personId, "say entity classes", `organisation:${organisationId}`, {
      before: before.classes.join(", "),
      after: classes.join(", "),
    });
  });
}
