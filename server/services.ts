import type { Logger } from "pino";
import type { Database } from "./database/database.ts";
import type { DatabaseWatch } from "./database/watch.ts";
import type { HeavyReads } from "./database/heavy-reads.ts";
import type { Denials } from "./protection/denials.ts";
import type { Env } from "./settings/env.ts";
import type { Gates } from "./protection/gate.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Engines } from "./outside/engines/engines.ts";
import type { Documents } from "./outside/documents/documents.ts";
import type { FileStore } from "./outside/files/store.ts";
import type { InvoiceRegistrar } from "./outside/e-invoices/registrar.ts";
import type { MailTransport } from "./outside/mail/transport.ts";
import type { PaymentGateway } from "./outside/payments/gateway.ts";
import type { Limiter } from "./protection/limiter.ts";
import type { HeardTexts } from "./site-texts/site-texts.ts";
import type { TellOutage } from "./failures/outage.ts";

/** Everything a capability may use. Made once per process by main.ts, and by the tests from the same parts. */
export interface Services {
  env: Env;
  log: Logger;
  tellOutage: TellOutage;
  database: Database;
  heavyReads: HeavyReads;
  watch: DatabaseWatch;
  jobs: Jobs;
  gates: Gates;
  limiter: Limiter;
  denials: Denials;
  mail: MailTransport;
  files: FileStore;
  documents: Documents;
  gateway: PaymentGateway;
  /** Null without a configured provider. */
  registrar: InvoiceRegistrar | null;
  /** The engines that customers are bound to. */
  engines: Engines;
  /** The site texts in force: what operators changed, otherwise the shipped texts. */
  siteTexts: HeardTexts;
  /** The address as browsers see it, without a trailing slash. */
  publicUrl: string;
  /** The clock, which tests can set. */
  now(): Date;
}
