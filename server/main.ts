import "./settings/production.ts";
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { ensureContent } from "./content/shipped-content.ts";
import { mountDemo } from "./demo/mount-demo.ts";
import { seedDemo } from "./demo/seed.ts";
import { closeDemo, demoSignIns } from "./demo/accounts.ts";
import { migrateDatabase, whileStarting } from "./database/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./database/embedded.ts";
import { refuseAnotherDatabase } from "./database/identity.ts";
import { refusalOf } from "./database/refusals.ts";
import { lockDataFolder } from "./database/lock-data-folder.ts";
import { describeError, summariseError } from "./failures/describe-error.ts";
import { type Env, readEnv, StartRefused } from "./settings/env.ts";
import { openServices } from "./open.ts";
import { openPages, readSite } from "./http/pages.ts";
import { createServer, listen } from "./http/server.ts";
import { gatherMetrics } from "./metrics/tell-metrics.ts";
import { endWithin } from "./process/stop.ts";
import { failedStartCode, startWorkers, takePort, tellFailedStart, tellReady } from "./process/workers.ts";
import { startTracing, stopTracing } from "./tracing/span.ts";

const buildFolder = fileURLToPath(new URL("../build", import.meta.url));
const stopGraceMs = 6000;
/** Lets the first process finish answers under way when the workers take over the port. */
const probeGraceMs = 200;
/** How long after STOP_DELAY_SECONDS a worker may take to end before it is killed. */
const workerDeadlineSeconds = 11;
/**
 * Longer than all parts may take together, STOP_DELAY_SECONDS aside, so that a part that hangs can't keep the process.
 */
const stopDeadlineSeconds = 15;

/**
 * What a signal does; until there is something to stop, exit: PID 1 of a container ignores a signal without a handler.
 */
let onSignal = (): void => void siteRead.then(() => process.exit(0));

/** Starts the product: one process, or with WORKERS a first process that starts the others. */
async function start(): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => onSignal());
  const env = readEnv();
  await startTracing(env);
  if (cluster.isWorker) return void (await serve(env, readWorkerDatabaseUrl()));
  const release = env.databaseUrl ? () => {} : lockDataFolder(env.dataDir);
  if (env.workers === 1) {
    const listener = await bind(env);
    const site = readOnce();
    const embedded = await openEmbedded(env, () => void site());
    const stop = await serve(env, embedded?.url ?? env.databaseUrl ?? "", { listener, site }).catch(
      async (error: unknown) => {
        await embedded?.stop();
        throw error;
      },
    );
    // Before readiness is announced: whoever sees the announcement may stop the process at once.
    stopOnSignal(env, async (secondsLeft) => [
      ...(await stop()),
      ...(await endEmbedded(embedded, release, secondsLeft())),
    ]);
    announce(env, publicUrlOf(env, listener.port));
    return;
  }
  const listener = await bind(env);
  const embedded = await openEmbedded(env);
  const url = embedded?.url ?? env.databaseUrl ?? "";
  await migrate(env, url).catch(async (error: unknown) => {
    await embedded?.stop();
    throw error;
  });
  const endWorkers = startWorkers(
    env.workers,
    { PRAHARI_WORKER_DATABASE_URL: url },
    {
      wantsPort: () => listener.close(probeGraceMs),
      allReady: () => announce(env, publicUrlOf(env, env.port)),
      startFailed(why, isTheEnd) {
        console.error(why);
        if (isTheEnd) stop(1);
      },
    },
  );
  gatherMetrics();
  const stop = stopOnSignal(env, async (secondsLeft) => [
    ...(await endWorkers(env.stopDelaySeconds + workerDeadlineSeconds)),
    ...(await endEmbedded(embedded, release, secondsLeft())),
  ]);
}

function endEmbedded(embedded: EmbeddedPostgres | null, release: () => void, seconds: number): Promise<string[]> {
  return endWithin(seconds, {
    PostgreSQL: async () => {
      await embedded?.stop();
      release();
    },
  });
}

/**
 * Reads the site on the first call only; that is while the database is still starting, since neither needs the other.
 */
function readOnce(): () => ReturnType<typeof readSite> {
  let reading: ReturnType<typeof readSite> | null = null;
  return () => {
    reading ??= readSite(buildFolder);
    // Whoever awaits `reading` reports its failure; until then the start may already have failed for another reason.
    siteRead = reading.catch(() => {});
    return reading;
  };
}

/** Node can hang for ever in an exit while it still loads the pages' code, so a failed start waits for this first. */
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

/** Migrates past the pooler, after checking that both addresses lead to the same database. */
async function migrate({ databaseDirectUrl }: Env, url: string): Promise<void> {
  if (databaseDirectUrl) await refuseAnotherDatabase(databaseDirectUrl, url);
  await migrateDatabase(databaseDirectUrl ?? url);
}

async function serve(
  env: Env,
  databaseUrl: string,
  begun?: { listener: Awaited<ReturnType<typeof bind>>; site: ReturnType<typeof readOnce> },
): Promise<() => Promise<string[]>> {
  const listener = begun?.listener ?? (await bind(env));
  const site = (begun?.site ?? readOnce())();
  if (!cluster.isWorker) await migrate(env, databaseUrl);
  const publicUrl = publicUrlOf(env, listener.port);
  const { internalUrl } = listener;
  const services = await openServices(env, { databaseUrl, publicUrl, internalUrl });
  const begin = async () => {
    await whileStarting(services.database, async () => {
      await ensureContent(services.database);
      if (env.demo) await seedDemo(services);
      else tellOfClosing(await closeDemo(services));
    });
    const built = await site;
    const pages = built && (await openPages(built, services));
    listener.serve(createServer(services, pages, mountDemo), pages);
    await services.work();
  };
  await begin().catch(async (error: unknown) => {
    // Close before the database is stopped: the watch would report that as an outage.
    await services.close();
    throw error;
  });
  const stop = async () => {
    await listener.leave(env.stopDelaySeconds);
    const late = await services.close(() => listener.close(stopGraceMs));
    return [...late, ...(await endWithin(1, { traces: stopTracing }))];
  };
  if (cluster.isWorker) {
    stopOnSignal(env, stop);
    tellReady();
  }
  return stop;
}

async function bind(env: Env) {
  if (cluster.isWorker) await takePort();
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
 * Ends the process on SIGTERM and Ctrl+C: with exit code 0, or with 1 and one line that names what `stop` could not
 * end. `secondsLeft` tells `stop` how long its last part may take. Answers a function that does the same with an exit
 * code.
 */
function stopOnSignal(
  { stopDelaySeconds }: Env,
  stop: (secondsLeft: () => number) => Promise<string[]>,
): (code: number) => void {
  const deadlineSeconds = stopDelaySeconds + stopDeadlineSeconds;
  let stopping = false;
  const stopWith = (code: number) => {
    if (stopping) return;
    stopping = true;
    const end = (late: string[]) => {
      if (late.length > 0) console.error(`Prahari stopped without waiting any longer for: ${late.join(", ")}.`);
      process.exit(late.length > 0 ? 1 : code);
    };
    setTimeout(() => end([`its own stop (no end after ${deadlineSeconds} s)`]), deadlineSeconds * 1000);
    const from = performance.now();
    const secondsLeft = () => Math.floor(deadlineSeconds - (performance.now() - from) / 1000);
    stop(secondsLeft).then(end, (error: unknown) => end([summariseError(error)]));
  };
  onSignal = () => stopWith(0);
  return stopWith;
}

// An uncaught error ends the process. It is logged without the values that database errors carry.
process.on("uncaughtException", (error) => {
  console.error(describeError(error));
  process.exit(1);
});

start().catch(async (error: unknown) => {
  const refused = error instanceof StartRefused ? error : refusalOf(error);
  const why = refused ? refused.message : describeError(error);
  if (cluster.isWorker) await tellFailedStart(why);
  else console.error(why);
  await siteRead;
  process.exit(cluster.isWorker ? failedStartCode : 1);
});
