import "./settings/production.ts";
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { ensureContent } from "./content/shipped-content.ts";
import { mountDemo } from "./demo/mount-demo.ts";
import { seedDemo } from "./demo/seed.ts";
import { closeDemo, demoSignIns } from "./demo/accounts.ts";
import { migrateDatabase, whileStarting } from "./database/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./database/embedded.ts";
import { refusalOf } from "./database/refusals.ts";
import { lockDataFolder } from "./database/lock-data-folder.ts";
import { describeError, summariseError } from "./failures/describe-error.ts";
import { type Env, readEnv, StartRefused } from "./settings/env.ts";
import { openServices } from "./open.ts";
import { openPages, readSite } from "./http/pages.ts";
import { createServer, listen } from "./http/server.ts";
import { gatherMetrics } from "./metrics/tell-metrics.ts";
import { endWithin } from "./process/stop.ts";
import { startTracing, stopTracing } from "./tracing/span.ts";

const buildFolder = fileURLToPath(new URL("../build", import.meta.url));
const stopGraceMs = 6000;
/** Longer than all parts may take together, STOP_DELAY_SECONDS aside: what else hangs must not keep the process. */
const stopDeadlineSeconds = 15;

/** What a signal does; until there is something to stop, it ends the process. The first one of a container has no end by itself. */
let onSignal = (): void => void siteRead.then(() => process.exit(0));

/** Starts the product: one process, or with WORKERS a first one that starts the others. */
async function start(): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => onSignal());
  const env = readEnv();
  await startTracing(env);
  if (cluster.isWorker) return void (await serve(env, readWorkerDatabaseUrl()));
  const release = env.databaseUrl ? () => {} : lockDataFolder(env.dataDir);
  if (env.workers === 1) {
    const listener = await bind(env);
    const site = readOnce(env, listener.port);
    const embedded = await openEmbedded(env, () => void site());
    const stop = await serve(env, embedded?.url ?? env.databaseUrl ?? "", { listener, site }).catch(
      async (error: unknown) => {
        await embedded?.stop();
        throw error;
      },
    );
    // Before it says that it is ready: whoever hears that may end it at once.
    stopOnSignal(env, async (secondsLeft) => [
      ...(await stop()),
      ...(await endEmbedded(embedded, release, secondsLeft())),
    ]);
    announce(env, publicUrlOf(env, listener.port));
    return;
  }
  await (await bind(env)).close(0);
  const embedded = await openEmbedded(env);
  const url = embedded?.url ?? env.databaseUrl ?? "";
  await migrateDatabase(env.databaseDirectUrl ?? url).catch(async (error: unknown) => {
    await embedded?.stop();
    throw error;
  });
  startWorkers(env, url, (seconds) => endEmbedded(embedded, release, seconds));
}

function endEmbedded(embedded: EmbeddedPostgres | null, release: () => void, seconds: number): Promise<string[]> {
  return endWithin(seconds, {
    PostgreSQL: async () => {
      await embedded?.stop();
      release();
    },
  });
}

/** Reads the site when it is first asked to: while the database is still starting, as neither waits for the other. */
function readOnce(env: Env, port: number): () => ReturnType<typeof readSite> {
  let reading: ReturnType<typeof readSite> | null = null;
  return () => {
    reading ??= readSite(buildFolder, publicUrlOf(env, port));
    // Told when somebody waits for it; until then the start may have failed for another reason.
    siteRead = reading.catch(() => {});
    return reading;
  };
}

/** Node may hang for ever in an exit while it still loads the code of the pages: a start that fails waits for that first. */
let siteRead: Promise<unknown> = Promise.resolve();

const publicUrlOf = (env: Env, port: number) => env.publicUrl ?? `http://localhost:${port}`;

async function openEmbedded(env: Env, meanwhile: () => unknown = () => {}): Promise<EmbeddedPostgres | null> {
  if (env.databaseUrl) return null;
  const events = {
    starting: () => void meanwhile(),
    restarted: (cause: string) => console.error(`PostgreSQL had ended (${cause}) and was started again.`),
    lost: (cause: string) => {
      console.error(`PostgreSQL ended and could not be started again (${cause}); this copy ends too.`);
      process.exit(1);
    },
  };
  return startEmbeddedPostgres(env.dataDir, events, env.workers);
}

async function serve(
  env: Env,
  databaseUrl: string,
  begun?: { listener: Awaited<ReturnType<typeof bind>>; site: ReturnType<typeof readOnce> },
): Promise<() => Promise<string[]>> {
  const listener = begun?.listener ?? (await bind(env));
  const site = (begun?.site ?? readOnce(env, listener.port))();
  if (!cluster.isWorker) await migrateDatabase(env.databaseDirectUrl ?? databaseUrl);
  const publicUrl = publicUrlOf(env, listener.port);
  const services = await openServices(env, {
    databaseUrl,
    publicUrl,
    internalUrl: `http://127.0.0.1:${listener.port}`,
  });
  await whileStarting(services.database, async () => {
    await ensureContent(services.database);
    if (env.demo) await seedDemo(services);
    else tellOfClosing(await closeDemo(services));
  });
  const built = await site;
  const pages = built && (await openPages(built, services));
  listener.serve(createServer(services, pages, mountDemo), pages);
  await services.work();
  const stop = async () => {
    await listener.leave(env.stopDelaySeconds);
    const late = await services.close(() => listener.close(stopGraceMs));
    return [...late, ...(await endWithin(1, { traces: stopTracing }))];
  };
  if (cluster.isWorker) {
    stopOnSignal(env, stop);
    process.send?.("ready");
  }
  return stop;
}

async function bind(env: Env) {
  try {
    return await listen(env.host, env.port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: "is in use; stop the other program or set PORT to a free one",
      EACCES: "may not be opened by this user; set PORT to one above 1023",
    };
    throw new StartRefused(`Port ${env.port} on ${env.host} ${reasons[code ?? ""] ?? `can't be opened (${code})`}.`);
  }
}

function startWorkers(env: Env, databaseUrl: string, afterwards: (seconds: number) => Promise<string[]>): void {
  let stopping = false;
  let ready = 0;
  const fork = () => cluster.fork({ PRAHARI_WORKER_DATABASE_URL: databaseUrl });
  for (let count = 0; count < env.workers; count++) fork();
  gatherMetrics();
  cluster.on("message", (_worker, message: unknown) => {
    if (message === "ready" && ++ready === env.workers) announce(env, publicUrlOf(env, env.port));
  });
  cluster.on("exit", () => {
    setTimeout(() => stopping || fork(), 1000);
  });
  stopOnSignal(env, async (secondsLeft) => {
    stopping = true;
    return [...(await endWorkers(env.stopDelaySeconds)), ...(await afterwards(secondsLeft()))];
  });
}

/** Each worker says itself what it could not end; one that does not even end in time is killed. */
async function endWorkers(delaySeconds: number): Promise<string[]> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const ends = workers.map((worker) => {
    const ended = new Promise<void>((done, fail) =>
      // By the signal itself ends one that had not even begun to start.
      worker.once("exit", (code, signal) =>
        code === 0 || signal === "SIGTERM" ? done() : fail(new Error("ended with an error")),
      ),
    );
    return [`worker ${worker.process.pid}`, () => (worker.process.kill("SIGTERM"), ended)] as const;
  });
  const late = await endWithin(delaySeconds + 11, Object.fromEntries(ends));
  for (const worker of workers) worker.process.kill("SIGKILL");
  return late;
}

function readWorkerDatabaseUrl(): string {
  return process.env["PRAHARI_WORKER_DATABASE_URL"] ?? "";
}

function announce(env: Env, publicUrl: string): void {
  if (env.demo) {
    console.log("Demo mode: everything in it is sample data. Sign in with:");
    for (const { role, email, password } of demoSignIns)
      console.log(`  ${role.padEnd(13)} ${email.padEnd(34)} ${password}`);
    if (!env.smtpUrl) console.log(`Mail, with the sign-in codes, lands in ${publicUrl}/dev/mail`);
  }
  console.log(`Prahari is ready on ${publicUrl}`);
}

function tellOfClosing(people: number): void {
  if (people > 0)
    console.log(`The ${people} accounts of the demo can't sign in any more; a start with DEMO=1 gives them back.`);
}

/**
 * Ends the process on SIGTERM and Ctrl+C: with 0, or with 1 and one line that names what `stop` could not end.
 * `secondsLeft` tells `stop` how long its last part may still take.
 */
function stopOnSignal({ stopDelaySeconds }: Env, stop: (secondsLeft: () => number) => Promise<string[]>): void {
  const deadlineSeconds = stopDelaySeconds + stopDeadlineSeconds;
  let stopping = false;
  const end = (late: string[]) => {
    if (late.length > 0) console.error(`Prahari stopped without waiting any longer for: ${late.join(", ")}.`);
    process.exit(late.length > 0 ? 1 : 0);
  };
  onSignal = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => end([`its own stop (no end after ${deadlineSeconds} s)`]), deadlineSeconds * 1000);
    const from = performance.now();
    const secondsLeft = () => Math.floor(deadlineSeconds - (performance.now() - from) / 1000);
    stop(secondsLeft).then(end, (error: unknown) => end([summariseError(error)]));
  };
}

// Whatever nobody caught ends the process: told without the values that errors of the database carry.
process.on("uncaughtException", (error) => {
  console.error(describeError(error));
  process.exit(1);
});

start().catch(async (error: unknown) => {
  const refused = error instanceof StartRefused ? error : refusalOf(error);
  console.error(refused ? refused.message : describeError(error));
  await siteRead;
  process.exit(1);
});
