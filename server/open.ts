import type { Logger } from "pino";
import { workAccounts } from "./accounts/password-change.ts";
import { openDatabase } from "./database/database.ts";
import { DatabaseWatch } from "./database/watch.ts";
import { openDenials } from "./protection/denials.ts";
import type { Env } from "./settings/env.ts";
import { openGates } from "./protection/gate.ts";
import { startJobs } from "./jobs/jobs.ts";
import { openLimiter } from "./protection/limiter.ts";
import { openLog } from "./log.ts";
import { workOrders } from "./orders/reconcile.ts";
import { startDocuments } from "./outside/documents/start-documents.ts";
import { openFileStore } from "./outside/files/open-file-store.ts";
import { openMailTransport } from "./outside/mail/open-mail-transport.ts";
import { workMail } from "./mail/outbox.ts";
import { outagesTo } from "./failures/outage.ts";
import { openGateway } from "./outside/payments/open-gateway.ts";
import { ensureRateCard } from "./rates/rate-card.ts";
import { workQuotes } from "./quotes/deliver-proposal.ts";
import type { Services } from "./services.ts";
import { endWithin } from "./process/stop.ts";
import { workSweep } from "./upkeep/sweep.ts";

export interface OpenServices extends Services {
  /** Starts taking jobs from the queues. */
  work(): Promise<void>;
  /**
   * Lets running requests and jobs finish, then closes everything but the database server itself.
   * Waits 11 seconds at most; answers what did not end. `requests` ends those.
   */
  close(requests?: () => Promise<void>): Promise<string[]>;
}

/**
 * Opens every part the product runs on.
 * @param internalUrl address under which this process reaches itself, for the sandbox gateway
 */
export async function openServices(
  env: Env,
  addresses: { databaseUrl: string; publicUrl: string; internalUrl: string },
  options: { log?: Logger; now?: () => Date } = {},
): Promise<OpenServices> {
  const log = options.log ?? openLog(env);
  const now = options.now ?? (() => new Date());
  const tellOutage = outagesTo(log);
  const watch = new DatabaseWatch(addresses.databaseUrl, log);
  const database = openDatabase(addresses.databaseUrl, { watch });
  await ensureRateCard(database, now);
  const jobs = await startJobs(addresses.databaseUrl, watch, log, tellOutage);
  const services: Services = {
    env,
    log,
    tellOutage,
    database,
    jobs,
    gates: openGates(),
    limiter: openLimiter(database, now),
    denials: openDenials(database, log),
    mail: openMailTransport(env, database),
    files: openFileStore(env, addresses.publicUrl, now),
    documents: startDocuments(),
    gateway: openGateway(env, addresses.publicUrl, addresses.internalUrl),
    publicUrl: addresses.publicUrl,
    now,
  };
  return {
    ...services,
    async work() {
      await workAccounts(services);
      await workMail(services);
      await workQuotes(services);
      await workOrders(services);
      await workSweep(services);
    },
    async close(requests = async () => {}) {
      const late = [
        ...(await endWithin(8, { requests, jobs: () => jobs.stop() })),
        ...(await endWithin(1, {
          mail: async () => services.mail.close(),
          documents: () => services.documents.close(),
          denials: () => services.denials.flush(),
        })),
        ...(await endWithin(1.5, { "database connections": () => database.$client.close(500) })),
      ];
      watch.stop();
      return late;
    },
  };
}
