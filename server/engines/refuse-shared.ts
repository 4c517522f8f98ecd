import { and, eq, isNull, sql } from "drizzle-orm";
import { engineKinds } from "../../contract/engine-kinds.ts";
import type { BindingInput } from "../../contract/engines.ts";
import type { Database, Transaction } from "../database/database.ts";
import { engineBindings } from "../database/schema/index.ts";
import { Failure, invalidFields } from "../failures/failure.ts";

/** The columns of a binding that determine whose records it reads. */
type Reads = Pick<
  typeof engineBindings.$inferSelect,
  "id" | "organisationId" | "kind" | "address" | "indexerAddress" | "tenantKey"
>;
const reads = {
  id: engineBindings.id,
  organisationId: engineBindings.organisationId,
  kind: engineBindings.kind,
  address: engineBindings.address,
  indexerAddress: engineBindings.indexerAddress,
  tenantKey: engineBindings.tenantKey,
};

/**
 * Two customers may share one engine only if each is bound to a separate part: a binding to the whole engine, or to an
 * overlapping part, would show one customer the other's devices and incidents. One customer may bind each part only
 * once, and an indexer to one manager only, or findings would count twice.
 * Takes locks, so that of two concurrent requests the second waits.
 * @throws Failure invalid, conflict
 */
export async function refuseShared(
  transaction: Transaction,
  organisationId: string,
  { id = "", ...input }: BindingInput,
): Promise<void> {
  const asked: Reads = { ...input, id, organisationId };
  // oxlint-disable-next-line no-await-in-loop -- in a fixed order, so that two requests never deadlock
  for (const place of placesOf(asked).toSorted()) await lockPlace(transaction, place);
  const bound = await transaction
    .select(reads)
    .from(engineBindings)
    .where(and(eq(engineBindings.kind, input.kind), isNull(engineBindings.removedAt)));
  const own = bound.filter(
    (other) => other.organisationId === organisationId && other.id !== id && isAtSame(asked, other),
  );
  const { name, tenant } = engineKinds[input.kind];
  if (own.some((other) => partOf(other) === partOf(asked)))
    throw new Failure("conflict", `This customer’s ${name} is bound already. Please reload the page.`);
  if (own.some((other) => overlaps(input.kind, partOf(asked), partOf(other))))
    throw invalidFields({
      tenantKey: `This customer’s ${name} is bound already as a whole or by an overlapping part, and each finding would count twice. ${apart(tenant)}`,
    });
  const faults = bound.map((other) => faultBeside(asked, other)).filter((fault) => fault !== null);
  // A fault that a part of its own can't solve is reported first.
  const fault = faults.find(({ field }) => field === "indexerAddress") ?? faults[0];
  if (!fault) return;
  throw invalidFields({ [fault.field]: fault.sentence });
}

/**
 * Those of the given bindings that `refuseShared` would refuse now, with since when and why: they were created before
 * the check existed and still show a customer another's records, or the same twice.
 */
export async function findShared(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, { since: Date; sentence: string }>> {
  const bound = await database
    .select({ ...reads, connectedAt: engineBindings.connectedAt })
    .from(engineBindings)
    .where(isNull(engineBindings.removedAt));
  const placed = bound.flatMap((each) => placesOf(each).map((place) => ({ place, each })));
  const at = Map.groupBy(placed, ({ place }) => place);
  const wanted = new Set(ids);
  return new Map(
    bound
      .filter((one) => wanted.has(one.id))
      .flatMap((one) =>
        placesOf(one)
          .flatMap((place) => at.get(place) ?? [])
          .flatMap(({ each: other }) => {
            const fault = faultBeside(one, other);
            const since = one.connectedAt > other.connectedAt ? one.connectedAt : other.connectedAt;
            return fault ? [[one.id, { since, sentence: fault.sentence }] as const] : [];
          }),
      ),
  );
}

/** Why `one` would get another customer's records, or its own customer's twice; null where there is no fault. */
function faultBeside(one: Reads, other: Reads): { field: "tenantKey" | "indexerAddress"; sentence: string } | null {
  if (one.kind !== other.kind || one.id === other.id) return null;
  const isOwn = one.organisationId === other.organisationId;
  const isOverlapping = overlaps(one.kind, partOf(one), partOf(other));
  if (isAtSame(one, other)) {
    const { tenant } = engineKinds[one.kind];
    const sentence = isOwn
      ? `This customer is bound to the same engine by an overlapping part, and each finding counts twice. ${apart(tenant)}`
      : `Another customer is bound to this engine, and would share what it tells. Give each a part of it: ${tenant.label}`;
    return isOverlapping ? { field: "tenantKey", sentence } : null;
  }
  if (!one.indexerAddress || !other.indexerAddress) return null;
  // Only Wazuh 5's groups tell managers in one indexer apart: in Wazuh 4 each manager numbers its agents from 001.
  if (placeOf(one.indexerAddress) !== placeOf(other.indexerAddress) || (one.kind === "wazuh5" && !isOverlapping))
    return null;
  const sentence = isOwn
    ? "Another manager of this customer writes into this indexer, what each tells can’t be told apart, and each finding counts twice. Give each an indexer of its own."
    : "Another customer’s manager writes into this indexer, and what each tells can’t be told apart. Give each an indexer of its own.";
  return { field: "indexerAddress", sentence };
}

const apart = ({ label }: { label: string }) => `Change that binding, or give each a part of its own: ${label}`;

const partOf = ({ tenantKey }: Reads) => (tenantKey ?? "").toLowerCase();
const isAtSame = (one: Reads, other: Reads) => placeOf(one.address) === placeOf(other.address);
const placesOf = ({ address, indexerAddress }: Reads) =>
  [address, ...(indexerAddress ? [indexerAddress] : [])].map(placeOf);

const lockPlace = (transaction: Transaction, place: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`engine ${place}`}, 0))`);

/** Normalises an address: case of the host, default port, trailing slashes. */
const placeOf = (address: string) => new URL(address).href.replace(/\/+$/, "");

/** An empty key means the whole engine; OpenSearch keys are prefixes of detector names. */
function overlaps(kind: BindingInput["kind"], one: string, other: string): boolean {
  const [short = "", long = ""] = [one, other].toSorted((a, b) => a.length - b.length);
  return kind === "opensearch" ? long.startsWith(short) : short === "" || short === long;
}
