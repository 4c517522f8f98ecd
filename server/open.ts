import type { Logger } from "pino";
import { workAccounts } from "./accounts/password-change.ts";
import { openDatabase } from "./database/database.ts";
import { openDenials } from "./denials.ts";
import type { Env } from "./env.ts";
import { startJobs } from "./jobs.ts";
import { openLimiter } from "./limiter.ts";
import { openLog } from "./log.ts";
import { workOrders } from "./orders/reconcile.ts";
import { startDocuments } from "./outside/documents/start-documents.ts";
import { openFileStore } from "./outside/files/open-file-store.ts";
import { openMailTransport } from "./outside/mail/open-mail-transport.ts";
import { workMail } from "./outside/mail/outbox.ts";
import { openGateway } from "./outside/payments/open-gateway.ts";
import { ensureRateCard } from "./quotes/rate-card.ts";
import { workQuotes } from "./quotes/deliver-proposal.ts";
import type { Services } from "./services.ts";
import { workSweep } from "./sweep.ts";

export interface OpenServices extends Services {
  /** Starts taking jobs from the queues. */
  work(): Promise<void>;
  /** Lets running jobs finish, then closes everything but the database server itself. */
  close(): Promise<void>;
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
  const database = openDatabase(addresses.databaseUrl);
  await ensureRateCard(database);
  const jobs = await startJobs(addresses.databaseUrl, log);
  const services: Services = {
    env,
    log,
    database,
    jobs,
    limiter: openLimiter(database),
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
    async close() {
      await jobs.stop();
      services.mail.close();
      await services.documents.close();
      await services.denials.flush();
      await database.$client.end();
    },
  };
}
