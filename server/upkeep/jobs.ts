import { showLateDocuments } from "../actions/show-late-documents.ts";
import { accountJobs } from "../accounts/jobs.ts";
import { billingJobs } from "../billing/jobs.ts";
import { contractJobs } from "../contracts/jobs.ts";
import { announcementJobs } from "../announcements/jobs.ts";
import { sealEntries } from "../audit/chain.ts";
import { contentJobs } from "../content/jobs.ts";
import { withLockLimit } from "../database/lock-limit.ts";
import { dataRequestJobs } from "../data-requests/jobs.ts";
import { coverageJobs } from "../coverage/jobs.ts";
import { engineJobs } from "../engines/jobs.ts";
import { removeUnnamedFiles } from "../files/keep-file.ts";
import { obligationJobs } from "../obligations/jobs.ts";
import { onboardingJobs } from "../onboarding/jobs.ts";
import { incidentJobs } from "../incidents/jobs.ts";
import type { Job, JobTable } from "../job.ts";
import type { JobName } from "../jobs/jobs.ts";
import { eInvoiceJobs } from "../e-invoices/jobs.ts";
import { leadJobs } from "../leads/jobs.ts";
import { mailJobs } from "../mail/jobs.ts";
import { orderJobs } from "../orders/jobs.ts";
import { quoteJobs } from "../quotes/jobs.ts";
import { foldCoverageSums } from "../coverage/sums.ts";
import { foldLeadFigures } from "../leads/funnel.ts";
import { foldOwedFigures } from "../ledger/receivables.ts";
import { foldFigures } from "../reports/figures.ts";
import { transferJobs } from "../transfers/jobs.ts";
import { refundJobs } from "../refunds/jobs.ts";
import { serviceReportJobs } from "../service-reports/jobs.ts";
import type { Services } from "../services.ts";
import { resumeOwed } from "./resume-owed.ts";
import { applyRetention } from "./retention.ts";

const capabilityJobs = {
  ...accountJobs,
  ...mailJobs,
  ...quoteJobs,
  ...billingJobs,
  ...eInvoiceJobs,
  ...orderJobs,
  ...refundJobs,
  ...transferJobs,
  ...contractJobs,
  ...leadJobs,
  ...contentJobs,
  ...announcementJobs,
  ...dataRequestJobs,
  ...engineJobs,
  ...serviceReportJobs,
  ...onboardingJobs,
  ...obligationJobs,
  ...coverageJobs,
  ...incidentJobs,
};

/** Every job of the product: the type demands an entry for each queue. */
export const jobs: JobTable<JobName> = {
  ...capabilityJobs,
  sweep: {
    run: sweep,
    retryLimit: 0,
    clock: "*/10 * * * *",
    owed: { nothingBecause: "the clock adds the next one" },
  },
  "apply-retention": {
    run: (services) => applyRetention(services),
    retryLimit: 3,
    owed: { nothingBecause: "the sweep asks for it once a day" },
  },
  "seal-audit": {
    run: async ({ database }) => void (await sealEntries(database)),
    retryLimit: 0,
    clock: "* * * * *",
    atStart: true,
    owed: { nothingBecause: "the clock adds the next one" },
  },
};

/**
 * Adds lost jobs again, shows late documents, folds tables of changes, starts retention daily, removes unnamed files.
 */
export async function sweep(services: Services): Promise<void> {
  for (const [name, { owed }] of Object.entries(capabilityJobs)) {
    if ("key" in owed) await resumeOwed(services, name as JobName, owed);
  }
  await showLateDocuments(services);
  await foldFigures(services.database);
  await foldCoverageSums(services.database);
  await foldLeadFigures(services.database);
  await foldOwedFigures(services.database);
  await services.database.transaction((transaction) =>
    services.jobs.add(transaction, "apply-retention", {}, { onceInSeconds: 24 * 3600 }),
  );
  await removeUnnamedFiles(services);
}

/**
 * Shorter than a stop waits for jobs: a job that waits for the lock of a hanging copy is retried and delays no stop.
 */
const lockWaitMs = 4000;

/** Starts taking jobs from every queue. */
export async function workJobs(given: Services): Promise<void> {
  const services = { ...given, database: withLockLimit(given.database, lockWaitMs) };
  for (const name of Object.keys(jobs) as JobName[]) await workQueue(services, name, jobs[name] as Job<JobName>);
}

async function workQueue(services: Services, name: JobName, job: Job<JobName>): Promise<void> {
  if ("run" in job) await services.jobs.work(name, (data) => job.run(services, data), job.atOnce);
  else await services.jobs.workBatches(name, (batch) => job.runBatch(services, batch), job.atOnce, job.urgentApart);
  if (job.clock) await services.jobs.schedule(name, job.clock);
  if (job.atStart) await services.database.transaction((transaction) => services.jobs.add(transaction, name, {}));
}
