import { join } from "node:path";
import type { Logger } from "pino";
import { brand } from "../contract/brand.ts";
import { openDatabase, whileStarting } from "./database/database.ts";
import { openHeavyReads } from "./database/heavy-reads.ts";
import { tellOfMissingLimits } from "./database/pooler.ts";
import { DatabaseWatch } from "./database/watch.ts";
import { standInsAt } from "./demo/engines/stand-ins.ts";
import { demoTransport } from "./demo/mail-transport.ts";
import { sandboxGateway } from "./demo/sandbox-gateway.ts";
import { sandboxRegistrar } from "./demo/sandbox-irp-registrar.ts";
import { openDenials } from "./protection/denials.ts";
import type { Env } from "./settings/env.ts";
import { openGates } from "./protection/gate.ts";
import { startJobs } from "./jobs/jobs.ts";
import { openLimiter } from "./protection/limiter.ts";
import { openLog } from "./failures/log.ts";
import { startDocuments } from "./outside/documents/start-documents.ts";
import { nicRegistrar } from "./outside/e-invoices/nic-registrar.ts";
import { openEngines } from "./outside/engines/engines.ts";
import { openFileStore } from "./outside/files/open-file-store.ts";
import { smtpTransport } from "./outside/mail/smtp-transport.ts";
import { outagesTo } from "./failures/outage.ts";
import { payuGateway } from "./outside/payments/payu.ts";
import { ensureRateCard } from "./rates/rate-card.ts";
import type { Services } from "./services.ts";
import { openSiteTexts } from "./site-texts/site-texts.ts";
import { jobs as declaredJobs, workJobs } from "./upkeep/jobs.ts";
import { endWithin } from "./process/stop.ts";

export interface OpenServices extends Services {
  /** Starts taking jobs from the queues. */
  work(): Promise<void>;
  /**
   * Lets running requests and jobs finish, then closes everything but the database server itself. Waits 11 seconds at
   * most; answers the names of the parts that did not end. `requests` ends the requests.
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
  const { databaseUrl: url } = addresses;
  const pooled = env.databaseDirectUrl !== null;
  const watch = new DatabaseWatch(env.databaseDirectUrl ?? url, log);
  if (pooled) await tellOfMissingLimits(url, log);
  const database = openDatabase(url, { watch, pooled });
  const siteTexts = await whileStarting(database, async () => {
    await ensureRateCard(database, now);
    return openSiteTexts(database, watch);
  });
  const jobs = await startJobs(url, declaredJobs, watch, log, tellOutage, pooled);
  const services: Services = {
    env,
    log,
    tellOutage,
    database,
    heavyReads: openHeavyReads({ url, readUrl: env.databaseReadUrl, pooled, database, watch, log }),
    watch,
    jobs,
    gates: openGates(),
    limiter: openLimiter(database, now),
    denials: openDenials(database, log),
    mail: env.smtpUrl
      ? // MAIL_FROM is always set outside demo mode.
        smtpTransport(env.smtpUrl, env.mailFrom ?? `${brand.name} <${brand.emails.support}>`, env.smtpCleartext)
      : demoTransport(database),
    files: openFileStore(env, addresses.publicUrl, now, { log }),
    documents: startDocuments({ signing: signingOf(env) }),
    gateway: env.payu ? payuGateway(env.payu) : sandboxGateway(env, addresses.publicUrl, addresses.internalUrl),
    registrar: registrarOf(env, addresses.internalUrl),
    engines: openEngines(
      { allowPrivate: env.enginesAllowPrivate },
      { now, ...(env.demo && { standIn: standInsAt(addresses.internalUrl) }) },
    ),
    siteTexts,
    publicUrl: addresses.publicUrl,
    now,
  };
  return {
    ...services,
    work: () => whileStarting(database, () => workJobs(services)),
    async close(requests = async () => {}) {
      const late = [
        ...(await endWithin(8, { requests, jobs: () => endJobs(services) })),
        ...(await endWithin(1, {
          mail: async () => services.mail.close(),
          documents: () => services.documents.close(),
          denials: () => services.denials.flush(),
        })),
        ...(await endWithin(1.5, {
          "database connections": () => database.$client.close(500),
          "connections of heavy reads": () => services.heavyReads.close(500),
        })),
      ];
      watch.stop();
      return late;
    },
  };
}

/** In demo mode a built-in stand-in registers invoices; nothing reaches the government. */
function registrarOf(env: Env, internalUrl: string) {
  if (env.eInvoices) return nicRegistrar(env.eInvoices, () => brand.gstin);
  return env.demo ? sandboxRegistrar(env, internalUrl) : null;
}

/** Shorter than a stop waits for jobs, with time to note what went out. */
const mailPatienceMs = 4000;

/**
 * A stop does not wait for jobs that wait for an engine: the next poll does what they left. Nor to its end for a mail
 * server that hangs: the mails that went out beside such a mail are noted once it has failed, and would go out again.
 */
async function endJobs({ engines, jobs, mail }: Services): Promise<void> {
  engines.stop();
  const patience = setTimeout(() => mail.close(), mailPatienceMs);
  await jobs.stop().finally(() => clearTimeout(patience));
}

/** In demo mode invoices are signed like real ones, with a self-signed certificate. */
function signingOf({ documentSigningPem, demo, dataDir }: Env) {
  if (documentSigningPem) return { pem: documentSigningPem };
  return demo ? { selfSignedFile: join(dataDir, "demo-signing.pem"), name: "Prahari demo (sample)" } : null;
}
