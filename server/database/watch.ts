import { setImmediate as afterReading, setTimeout as sleep } from "node:timers/promises";
import { Client, escapeIdentifier } from "pg";
import type { Logger } from "pino";

/** The database gives no answer: it hangs, or the network drops what is sent. */
export class DatabaseSilent extends Error {
  constructor() {
    super("The database does not answer");
    this.name = "DatabaseSilent";
  }
}

interface Listener {
  hear(payload: string): void;
  /** Called when listening begins, also after an interruption: notifications may have been missed. */
  missedSome(): void;
  /** Called when listening is interrupted: nothing is heard until `missedSome`. */
  interrupted(): void;
}

type State = "answers" | "silent" | "unreachable";

const askEveryMs = 500;
const answerWithinMs = 1500;
/** For the first answer: during the start the machine may be busy. */
const firstAnswerWithinMs = 30_000;

/**
 * Checks the database continuously over a connection of its own, so that no request has to find out that it is silent.
 * The same connection listens for NOTIFY.
 */
export class DatabaseWatch {
  readonly #url: string;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #alarms: (() => void)[] = [];
  readonly #stopped = new AbortController();
  #state: State = "answers";
  #patienceMs = firstAnswerWithinMs;
  #client: Client | null = null;

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
    void this.#run();
  }

  /** True from the first unanswered check until one is answered again. */
  isSilent(): boolean {
    return this.#state === "silent";
  }

  /** Whether the last check was answered. Checks run twice a second, so this needs no wait. */
  hasAnswer(): boolean {
    return this.#state === "answers";
  }

  /** Runs `act` each time the database falls silent. */
  onSilence(act: () => void): void {
    this.#alarms.push(act);
  }

  /** Calls `hear` with each payload sent to a channel, as long as listening goes on. */
  async listen(
    channel: string,
    hear: Listener["hear"],
    missedSome: Listener["missedSome"],
    interrupted: () => void = () => {},
  ) {
    const listeners = this.#listeners.get(channel) ?? new Set();
    const listener = { hear, missedSome, interrupted };
    this.#listeners.set(channel, listeners.add(listener));
    // If this fails, or there is no connection yet, the next connection listens from its start.
    await this.#client?.query(listenTo(channel)).then(missedSome, () => this.#drop());
    return { close: async () => void listeners.delete(listener) };
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await this.#ask();
      await sleep(askEveryMs, undefined, { signal }).catch(() => {});
    }
    this.#drop();
  }

  async #ask(): Promise<void> {
    const isNew = this.#client === null;
    try {
      const client = this.#client ?? (await this.#connect());
      await answeredWithin(this.#patienceMs, client.query("select 1"));
      this.#patienceMs = answerWithinMs;
      this.#enter("answers");
    } catch (error) {
      this.#drop();
      if (isUnanswered(error)) this.#enter("silent");
      // A single connection may end by itself; the database is unreachable only when no new one can be made.
      else if (isNew) this.#enter("unreachable", error as Error);
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#patienceMs,
      keepAlive: true,
      application_name: "prahari-watch",
    });
    client.on("error", () => this.#client === client && this.#drop());
    client.on("notification", ({ channel, payload = "" }) =>
      this.#listeners.get(channel)?.forEach((listener) => listener.hear(payload)),
    );
    try {
      await client.connect();
      for (const channel of this.#listeners.keys())
        await answeredWithin(this.#patienceMs, client.query(listenTo(channel)));
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
    this.#client = client;
    for (const { missedSome } of this.#all()) missedSome();
    return client;
  }

  #enter(state: State, reason?: NodeJS.ErrnoException): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === "answers") this.#log.info("the database answers again");
    // An error that covers several addresses has no message of its own.
    if (state === "unreachable")
      this.#log.error({ error: reason?.message || reason?.code }, "the database can't be reached");
    if (state !== "silent") return;
    this.#log.error("the database is silent: its connections are dropped");
    for (const act of this.#alarms) act();
  }

  #drop(): void {
    if (this.#client === null) return;
    this.#client.connection.stream.destroy();
    this.#client = null;
    for (const { interrupted } of this.#all()) interrupted();
  }

  #all(): Listener[] {
    return [...this.#listeners.values()].flatMap((listeners) => [...listeners]);
  }
}

const listenTo = (channel: string) => `listen ${escapeIdentifier(channel)}`;

/**
 * The answer, if it comes in time. Data that arrived while this process was busy is read before time counts as up.
 * @throws DatabaseSilent
 */
export async function answeredWithin<Answer>(milliseconds: number, asked: Promise<Answer>): Promise<Answer> {
  const over = new AbortController();
  const late = async () => {
    await sleep(milliseconds, undefined, { signal: over.signal });
    await afterReading();
    throw new DatabaseSilent();
  };
  try {
    return await Promise.race([asked, late()]);
  } finally {
    over.abort();
    asked.catch(() => {});
  }
}

/** Whether an error of pg or of the network means that no answer came. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof DatabaseSilent) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === "ETIMEDOUT" || error.message === "timeout expired";
}
