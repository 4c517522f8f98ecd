import { and, eq, isNull, sql } from "drizzle-orm";
import { engineKinds } from "../../contract/engine-kinds.ts";
import type { BindingInput } from "../../contract/engines.ts";
import type { Transaction } from "../database/database.ts";
import { engineBindings } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";

/**
 * Two customers may have one engine, and then each a part of it: whoever is bound to the whole, or to what another is
 * bound to, would be told the other's devices and incidents. One customer has a part once, or each finding would count twice.
 * Of two that come at once the second waits.
 * @throws Failure invalid, conflict
 */
export async function refuseShared(
  transaction: Transaction,
  organisationId: string,
  { id, kind, address, indexerAddress, tenantKey }: BindingInput,
): Promise<void> {
  const places = [address, ...(indexerAddress ? [indexerAddress] : [])].map(placeOf);
  // oxlint-disable-next-line no-await-in-loop -- in one order, so that two never wait for each other
  for (const place of places.toSorted()) await lockPlace(transaction, place);
  const bound = await transaction
    .select({
      id: engineBindings.id,
      organisationId: engineBindings.organisationId,
      address: engineBindings.address,
      indexerAddress: engineBindings.indexerAddress,
      tenantKey: engineBindings.tenantKey,
    })
    .from(engineBindings)
    .where(and(eq(engineBindings.kind, kind), isNull(engineBindings.removedAt)));
  const there = bound.filter((other) => placeOf(other.address) === placeOf(address));
  const part = (key: string | null) => (key ?? "").toLowerCase();
  const own = there.filter((other) => other.organisationId === organisationId && other.id !== id);
  if (own.some((other) => part(other.tenantKey) === part(tenantKey)))
    throw new Failure(
      "conflict",
      `This customer’s ${engineKinds[kind].name} is bound already. Please reload the page.`,
    );
  const ofOthers = bound.filter((other) => other.organisationId !== organisationId);
  const beside = ofOthers.filter(
    (other) =>
      indexerAddress &&
      other.indexerAddress &&
      placeOf(other.indexerAddress) === placeOf(indexerAddress) &&
      placeOf(other.address) !== placeOf(address),
  );
  // What managers write into one indexer is told apart by a group of Wazuh 5 alone: of Wazuh 4 each counts its agents from 001.
  if (beside.some((other) => kind !== "wazuh5" || overlaps(kind, part(other.tenantKey), part(tenantKey)))) {
    const sentence =
      "Another customer’s manager writes into this indexer, and what each tells can’t be told apart. Give each an indexer of its own.";
    throw new Failure("invalid", "Please check the fields marked below.", { fields: { indexerAddress: sentence } });
  }
  const others = there.filter((other) => other.organisationId !== organisationId);
  if (!others.some((other) => overlaps(kind, part(other.tenantKey), part(tenantKey)))) return;
  const { label } = engineKinds[kind].tenant;
  const sentence = `Another customer is bound to this engine, and would share what it tells. Give each a part of it: ${label}`;
  throw new Failure("invalid", "Please check the fields marked below.", { fields: { tenantKey: sentence } });
}

const lockPlace = (transaction: Transaction, place: string) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`engine ${place}`}, 0))`);

/** However its host is written, and with which port that it has anyway. */
const placeOf = (address: string) => new URL(address).href.replace(/\/+$/, "");

/** An empty key is the whole engine; detectors of OpenSearch go by how their names begin. */
function overlaps(kind: BindingInput["kind"], one: string, other: string): boolean {
  const [short = "", long = ""] = [one, other].toSorted((a, b) => a.length - b.length);
  return kind === "opensearch" ? long.startsWith(short) : short === "" || short === long;
}
