import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { X509Certificate } from "node:crypto";
import { type EngineKind, engineKinds, engineStreamNames } from "../../contract/engine-kinds.ts";
import type { BindingInput, EngineBinding } from "../../contract/engines.ts";
import { limits } from "../../contract/limits.ts";
import { reachCustomer } from "../access/reach.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { engineBindings, engineDevices, engineStreams, organisations } from "../database/schema/index.ts";
import { Failure, invalidFields, notFound } from "../failures/failure.ts";
import { seal, sealingKeys } from "../protection/sealed-secret.ts";
import type { Services } from "../services.ts";
import { forgetWhatItSaid, leaveEngine } from "./moved-aside.ts";
import { askAnew } from "./note-answers.ts";
import { refuseShared } from "./refuse-shared.ts";
import { type BindingRow, indexerSecretOf, placeOf, readBinding, secretOf } from "./open-binding.ts";

/** A customer's engines, each with the state of its last poll. */
export async function listBindings(services: Services, scope: Scope<"any">, email: string): Promise<EngineBinding[]> {
  const customer = await reachCustomer(services.database, scope, email);
  const rows = await services.database
    .select()
    .from(engineBindings)
    .where(and(eq(engineBindings.organisationId, organisationOf(customer)), isNull(engineBindings.removedAt)))
    .orderBy(asc(engineBindings.id));
  return Promise.all(rows.map((row) => presentBinding(services.database, row)));
}

async function presentBinding(database: Database, row: BindingRow): Promise<EngineBinding> {
  const streams = await database.select().from(engineStreams).where(eq(engineStreams.bindingId, row.id));
  const devices = await database.$count(
    engineDevices,
    and(eq(engineDevices.bindingId, row.id), isNull(engineDevices.goneAt)),
  );
  const isFailing = streams.some(({ failingSince }) => failingSince !== null);
  return {
    id: row.id,
    version: row.version,
    ...placeOf(row),
    ...shownBy(row),
    state: isFailing ? "failing" : streams.length > 0 ? "ok" : "new",
    engineVersion: row.engineVersion,
    skewSeconds: row.skewSeconds,
    devices,
    streams: engineStreamNames.flatMap((name) =>
      streams
        .filter(({ stream }) => stream === name)
        .map(({ stream, lastAnswerAt, failingSince, problem, sentence, unreadable }) => ({
          stream,
          problem,
          sentence,
          unreadable,
          lastAnswerAt: lastAnswerAt?.toISOString() ?? null,
          failingSince: failingSince?.toISOString() ?? null,
        })),
    ),
  };
}

/**
 * Binds an engine, or changes a binding, and has it polled at once. Returns the binding's id.
 * @throws Failure not_found, conflict when it was changed since the given version, invalid
 */
export async function saveBinding(services: Services, scope: Scope<"any">, input: BindingInput): Promise<string> {
  const keys = sealingKeys(services.env);
  if (keys.length === 0)
    throw new Failure("conflict", "Credentials can't be kept: the operator has to set ENGINES_KEY first.");
  refuseAddresses(services, input);
  refuseCertificate(input);
  return services.database.transaction(async (transaction) => {
    const organisationId = await reachOwner(transaction, scope, input.email);
    const before = input.id ? await lockBinding(transaction, { id: input.id, version: input.version }) : null;
    if (before && before.organisationId !== organisationId) throw notFound("This engine");
    await refuseShared(transaction, organisationId, input);
    if (!before) await refuseTooMany(transaction, organisationId);
    const secrets = secretsOf(services, input, before);
    const id = before?.id ?? (await newId(transaction));
    const connected = { connectedAt: services.now() };
    const columns = {
      ...placeOf(input),
      ...shownBy(input),
      sealedSecret: seal(keys, secrets.secret, secretOf(id)),
      sealedIndexerSecret: secrets.indexerSecret && seal(keys, secrets.indexerSecret, indexerSecretOf(id)),
      nextPollAt: services.now(),
      polledUntil: null,
    };
    if (before) {
      const isAnother = leadsElsewhere(before, input);
      if (isAnother) await leaveEngine(transaction, id, services.now());
      await transaction
        .update(engineBindings)
        .set({
          ...columns,
          ...(isAnother && connected),
          version: before.version + 1,
          troubledSince: null,
          trouble: null,
        })
        .where(eq(engineBindings.id, id));
      await askAnew(transaction, id, { isAnotherIndexer: before.indexerAddress !== input.indexerAddress });
    } else await transaction.insert(engineBindings).values({ id, organisationId, ...columns, ...connected });
    await audit(
      transaction,
      scope.actor.personId,
      before ? "change engine" : "bind engine",
      `organisation:${organisationId}`,
      {
        ...(before && { before: saidBy(before) }),
        after: saidBy(columns),
        ...(before && { hasNewSecret: input.secret !== null }),
      },
    );
    await services.jobs.add(transaction, "poll-engine", { bindingId: id });
    return id;
  });
}

/** Removes a binding and its credentials; the engine's stored records stay. @throws Failure not_found, conflict */
export async function removeBinding(services: Services, { actor }: Scope<"any">, seen: Seen): Promise<EngineKind> {
  return services.database.transaction(async (transaction) => {
    const before = await lockBinding(transaction, seen);
    await transaction
      .update(engineBindings)
      .set({
        removedAt: services.now(),
        version: before.version + 1,
        sealedSecret: null,
        sealedIndexerSecret: null,
        troubledSince: null,
        trouble: null,
      })
      .where(eq(engineBindings.id, seen.id));
    await forgetWhatItSaid(transaction, seen.id, services.now());
    await audit(transaction, actor.personId, "remove engine", `organisation:${before.organisationId}`, {
      before: saidBy(before),
      after: {},
    });
    return before.kind;
  });
}

/**
 * The binding as entered, completed with its stored secrets, for a test. @throws Failure not_found, conflict, invalid
 */
export async function typedBinding(services: Services, scope: Scope<"any">, input: BindingInput) {
  refuseCertificate(input);
  const organisationId = await reachOwner(services.database, scope, input.email);
  const [before] = input.id
    ? await services.database
        .select()
        .from(engineBindings)
        .where(and(eq(engineBindings.id, input.id), isNull(engineBindings.removedAt)))
    : [];
  if (input.id && before?.organisationId !== organisationId) throw notFound("This engine");
  await audit(services.database, scope.actor.personId, "test engine", `organisation:${organisationId}`, saidBy(input));
  return { ...placeOf(input), ...secretsOf(services, input, before ?? null) };
}

interface Seen {
  id: string;
  version?: number | undefined;
}

async function lockBinding(transaction: Transaction, { id, version }: Seen): Promise<BindingRow> {
  const [known] = await transaction
    .select()
    .from(engineBindings)
    .where(and(eq(engineBindings.id, id), isNull(engineBindings.removedAt)))
    // Not "for update": a transaction that holds an incident, which this one locks next, may still write rows that
    // reference the binding; otherwise the two could deadlock.
    .for("no key update");
  if (!known) throw notFound("This engine");
  if (known.version !== version)
    throw new Failure("conflict", "Somebody else changed this engine meanwhile. Please reload it.");
  return known;
}

async function reachOwner(database: Database | Transaction, scope: Scope<"any">, email: string): Promise<string> {
  const customer = await reachCustomer(database, scope, email);
  if (customer) return organisationOf(customer);
  throw notFound("This customer");
}

/** Locks the organisation, so that of two concurrent requests the second waits and counts the first. */
async function refuseTooMany(transaction: Transaction, organisationId: string): Promise<void> {
  await transaction.select().from(organisations).where(eq(organisations.id, organisationId)).for("update");
  const bound = await transaction.$count(
    engineBindings,
    and(eq(engineBindings.organisationId, organisationId), isNull(engineBindings.removedAt)),
  );
  if (bound >= limits.enginesOfCustomerMax)
    throw new Failure("conflict", `A customer has at most ${limits.enginesOfCustomerMax} engines. Remove one first.`);
}

function refuseAddresses({ env }: Services, { address, indexerAddress, dashboardAddress }: BindingInput): void {
  const fields = Object.fromEntries(
    Object.entries({ address, indexerAddress, dashboardAddress })
      .filter(([, each]) => each && new URL(each).protocol === "http:" && !env.enginesAllowPrivate)
      .map(([name]) => [name, "Please enter an address that begins with https://"]),
  );
  if (Object.keys(fields).length > 0) throw invalidFields(fields);
}

function refuseCertificate({ caCertificate }: BindingInput): void {
  if (caCertificate === null) return;
  try {
    void new X509Certificate(caCertificate);
  } catch {
    const fields = { caCertificate: "This is no certificate that can be read" };
    throw invalidFields(fields);
  }
}

/**
 * The entered secrets, or the stored ones. Stored secrets are only ever sent to the place they were entered for:
 * changing the address or the certificate authority requires entering them again.
 */
function secretsOf(services: Services, input: BindingInput, before: BindingRow | null) {
  const isElsewhere = before === null || isAtAnotherPlace(before, input);
  const needsIndexer = input.indexerUsername !== null && input.indexerSecret === null;
  if (!isElsewhere && input.secret !== null && !needsIndexer)
    return { secret: input.secret, indexerSecret: input.indexerUsername === null ? null : input.indexerSecret };
  const fields = {
    ...(isElsewhere && input.secret === null && { secret: "Please enter it again: it is kept for another address" }),
    ...(isElsewhere && needsIndexer && { indexerSecret: "Please enter it again: it is kept for another address" }),
  };
  if (Object.keys(fields).length > 0) throw invalidFields(fields);
  const kept = before && !isElsewhere ? readKept(services, before) : null;
  const secret = input.secret ?? kept?.secret ?? "";
  if (needsIndexer && !kept?.indexerSecret)
    throw invalidFields({ indexerSecret: "Please enter the indexer's password" });
  return {
    secret,
    indexerSecret: input.indexerUsername === null ? null : (input.indexerSecret ?? kept?.indexerSecret ?? null),
  };
}

function readKept(services: Services, before: BindingRow) {
  try {
    return readBinding(services, before);
  } catch {
    throw invalidFields({ secret: "Please enter it again: what is kept can't be decrypted any more" });
  }
}

const isAtAnotherPlace = (before: BindingRow, input: BindingInput) =>
  before.kind !== input.kind ||
  before.address !== input.address ||
  before.indexerAddress !== input.indexerAddress ||
  before.caCertificate !== input.caCertificate;

const leadsElsewhere = (before: BindingRow, input: BindingInput) =>
  before.kind !== input.kind || before.address !== input.address || before.tenantKey !== input.tenantKey;

/** Needed before the row is inserted: its secrets are sealed with the id. */
export async function newId(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.execute<{ id: string }>(sql`select uuidv7() as id`);
  return rows[0]?.id ?? "";
}

/** Where the engine's pages are, and whether customers get links to them. */
const shownBy = ({ dashboardAddress, opensToCustomer }: Pick<BindingRow, "dashboardAddress" | "opensToCustomer">) => ({
  dashboardAddress,
  opensToCustomer,
});

/** For the audit log: where the binding leads, without user names and secrets. */
const saidBy = ({
  kind,
  address,
  indexerAddress,
  tenantKey,
  dashboardAddress,
  opensToCustomer,
}: Pick<BindingRow, "kind" | "address" | "indexerAddress" | "tenantKey" | "dashboardAddress" | "opensToCustomer">) => ({
  engine: engineKinds[kind].name,
  address,
  indexerAddress,
  tenantKey,
  dashboardAddress,
  opensToCustomer,
});
