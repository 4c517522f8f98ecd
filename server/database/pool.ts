import { DatabaseError, Pool, type PoolClient, type PoolConfig } from "pg";
import { inSpan, isTracing } from "../tracing/span.ts";
import { openNames } from "./name-writes.ts";
import { answeredWithin, DatabaseSilent, type DatabaseWatch } from "./watch.ts";

type HandOver = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

/** Asks after ten seconds of silence whether the other machine is still there; Linux by default after two hours. */
export const noticesVanished = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A connection that has rested for less is lent unchecked. */
export const checkedAfterRestMs = 2000;
const answerWithinMs = 1000;

/**
 * A pool that lends no connection it has reason to think dead. A connection that has rested is checked first, one that
 * left a query unanswered is closed, and while the database is silent connecting fails at once.
 */
export class CheckedPool extends Pool {
  readonly #watch: DatabaseWatch | null;
  readonly #open = new Set<PoolClient>();
  readonly #lent = new Set<PoolClient>();
  readonly #restsSince = new WeakMap<PoolClient, number>();

  /**
   * `pooled`: behind a pooler, which lends a connection for one transaction and refuses settings such as time limits.
   */
  constructor(
    { pooled = false, ...config }: PoolConfig & { statement_timeout: number; pooled?: boolean },
    watch: DatabaseWatch | null,
  ) {
    super({
      connectionTimeoutMillis: 1000,
      idleTimeoutMillis: 30_000,
      ...noticesVanished,
      // Frees the locks of a vanished client. Mails are sent within a transaction, and mail servers are slow.
      idle_in_transaction_session_timeout: 120_000,
      // The default, meant for spinning disks, makes a row read by an index cost as much as four others: to find 2,000
      // of 9,000 open orders, PostgreSQL then read all 9,000.
      options: "-c random_page_cost=1.1",
      ...config,
      ...(pooled && { statement_timeout: false, idle_in_transaction_session_timeout: 0, options: "" }),
    });
    this.#watch = watch;
    const nameOf = openNames();
    // Longer than the server's own limit, so that the server ends the query and not just this wait.
    const startClock = openClocks(config.statement_timeout + 1000);
    watch?.onSilence(() => destroy(this.#open, new DatabaseSilent()));
    // A broken connection fails its query and is replaced. Without listeners, one that breaks while idle or between two
    // queries of a transaction would end the process.
    this.on("error", () => {});
    this.on("connect", (client) => {
      client.on("error", () => {});
      this.#open.add(client);
      client.once("end", () => this.#open.delete(client));
      dropUnfit(client, startClock);
      renameStatements(client, pooled ? null : nameOf);
    });
    this.on("acquire", (client) => this.#lent.add(client));
    this.on("release", (_error, client) => {
      this.#lent.delete(client);
      this.#restsSince.set(client, performance.now());
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(handOver: HandOver): void;
  override connect(handOver?: HandOver): Promise<PoolClient> | void {
    const lent = this.#lend();
    if (!handOver) return lent;
    lent.then(
      (client) => handOver(undefined, client, (error) => client.release(error ? true : undefined)),
      (error: Error) => handOver(error, undefined, () => {}),
    );
  }

  /** Closes the pool. Connections still lent after `graceMs` are cut off. Returns when all are back. */
  async close(graceMs: number): Promise<void> {
    if (this.ending) return;
    // Repeatedly: a connection that was still being made is lent when it is ready.
    const cutting = setInterval(() => destroy(this.#open, new Error("The database pool was closed")), graceMs);
    await this.end();
    clearInterval(cutting);
  }

  async #lend(): Promise<PoolClient> {
    for (;;) {
      if (this.#watch?.isSilent()) throw new DatabaseSilent();
      const client = await super.connect();
      const restsSince = this.#restsSince.get(client) ?? performance.now();
      if (performance.now() - restsSince < checkedAfterRestMs || (await isAlive(client))) return client;
      // A firewall that dropped this connection has dropped the other idle ones, too.
      destroy(
        [...this.#open].filter((open) => !this.#lent.has(open)),
        new DatabaseSilent(),
      );
      client.release(true);
    }
  }
}

async function isAlive(client: PoolClient): Promise<boolean> {
  try {
    await answeredWithin(answerWithinMs, client.query("select 1"));
    return true;
  } catch {
    client.connection.stream.destroy();
    return false;
  }
}

/** Without a goodbye to the server, which would wait for an answer, too. */
function destroy(clients: Iterable<PoolClient>, reason: Error): void {
  for (const { connection } of clients) connection.stream.destroy(reason);
}

/** Starts waiting for an answer on this connection. Answers the function that ends the wait. */
type StartClock = (client: PoolClient) => () => void;

/**
 * Breaks a connection that leaves a query unanswered for this long, since every later query would wait behind it. One
 * timer for all: pg's `query_timeout` makes one per query, and then half of what an answer allocates outlived the young
 * generation (docs/performance.md).
 */
function openClocks(withinMs: number): StartClock {
  // In the order they were asked, so that the first is also the first to be late.
  const open = new Set<{ client: PoolClient; untilMs: number }>();
  let isSet = false;
  const set = () => {
    const [next] = open;
    isSet = next !== undefined;
    // Lets answers that came while this process was busy be read first.
    if (next) setTimeout(() => setImmediate(look), next.untilMs - performance.now()).unref();
  };
  const look = () => {
    for (const clock of open) {
      if (clock.untilMs > performance.now()) break;
      open.delete(clock);
      destroy([clock.client], new DatabaseSilent());
    }
    set();
  };
  return (client) => {
    const clock = { client, untilMs: performance.now() + withinMs };
    open.add(clock);
    if (!isSet) set();
    return () => void open.delete(clock);
  };
}

/**
 * Breaks a connection that can't be used any more: a query got no answer, or a prepared statement no longer fits its
 * table. Streams and cursors have no limit, as they are read at their reader's pace.
 */
function dropUnfit(client: PoolClient, startClock: StartClock): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const dropping = (...given: unknown[]) => {
    const stopClock = startClock(client);
    const tell = given.at(-1);
    const isTold = typeof tell === "function";
    if (isTold)
      given.splice(-1, 1, (...answer: unknown[]) => {
        stopClock();
        tell(...answer);
      });
    const asked = traced(given, () => query(...given));
    if (asked instanceof Promise)
      asked.then(stopClock, (error: unknown) => {
        stopClock();
        // A newer version has changed a column: this connection's prepared statement would fail for ever.
        if (isOutdated(error)) destroy([client], error);
      });
    else if (!isTold) stopClock();
    return asked;
  };
  client.query = dropping as typeof client.query;
}

/**
 * Names statements, so that each stays prepared on its connection. Behind a pooler there are no names: the next
 * transaction may get another connection.
 */
function renameStatements(client: PoolClient, nameOf: ((text: string) => string | undefined) | null): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const renamed = (statement: string | Partial<Query>, ...rest: unknown[]) => {
    const asked = typeof statement === "string" ? { text: statement } : statement;
    if (asked.submit || asked.text === undefined) return query(statement, ...rest);
    const name = nameOf ? (asked.name ?? nameOf(asked.text)) : undefined;
    return name === asked.name ? query(statement, ...rest) : query({ ...asked, name }, ...rest);
  };
  client.query = renamed as typeof client.query;
}

const isOutdated = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.message === "cached plan must not change result type";

/** What pg takes besides a text; an object with `submit` is a stream or a cursor and passed on as it is. */
interface Query {
  text: string;
  name: string | undefined;
  submit: unknown;
}

/** Runs a statement in a span. Its text has placeholders, so it shows no values. Callbacks and streams are left out. */
function traced(given: unknown[], ask: () => unknown): unknown {
  if (!isTracing()) return ask();
  const [statement, ...rest] = given;
  const { text, submit } = (typeof statement === "string" ? { text: statement } : statement) as Partial<Query>;
  if (text === undefined || submit || rest.some((part) => typeof part === "function")) return ask();
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? "query";
  const attributes = { "db.system.name": "postgresql", "db.operation.name": verb, "db.query.text": text.slice(0, 500) };
  return inSpan({ name: verb, kind: "client", attributes }, async () => ask());
}
