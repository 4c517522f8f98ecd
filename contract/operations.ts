import type { z } from "zod";
import { accountOperations } from "./accounts.ts";
import { actionOperations } from "./actions.ts";
import { announcementOperations } from "./announcements.ts";
import { auditOperations } from "./audit-log.ts";
import { billingOperations } from "./billing.ts";
import { contentOperations } from "./content.ts";
import { contractOperations } from "./contract-operations.ts";
import { coverageOperations } from "./coverage.ts";
import { dataRequestOperations } from "./data-requests.ts";
import { engineOperations } from "./engines.ts";
import { fileOperations } from "./files.ts";
import { leadInboxOperations } from "./lead-inbox.ts";
import { leadOperations } from "./leads.ts";
import { mailChoiceOperations } from "./mail-choices.ts";
import { noticeOperations } from "./notices.ts";
import { incidentFindingOperations } from "./incident-findings.ts";
import { incidentLevelOperations } from "./incident-levels.ts";
import { incidentOperations } from "./incident-operations.ts";
import { ladderOperations } from "./ladders.ts";
import { logSourceOperations } from "./log-sources.ts";
import { obligationOperations } from "./obligations.ts";
import { onboardingOperations } from "./onboarding.ts";
import { orderDetailsOperations } from "./order-details.ts";
import { orderOperations } from "./orders.ts";
import { paletteOperations } from "./palette.ts";
import { peopleOperations } from "./people.ts";
import { postOperations } from "./posts.ts";
import { proofOperations } from "./proofs.ts";
import { quoteDecisionOperations } from "./quote-decisions.ts";
import { quoteOperations } from "./quotes.ts";
import { rateOperations } from "./rates.ts";
import { receivableOperations } from "./receivables.ts";
import { writeOffOperations } from "./write-offs.ts";
import { registerOperations } from "./registers.ts";
import { reconcileOperations } from "./reconcile.ts";
import { eInvoiceOperations } from "./e-invoices.ts";
import { refundOperations } from "./refunds.ts";
import { reportOperations } from "./reports.ts";
import { serviceReportOperations } from "./service-reports.ts";
import { serviceViewOperations } from "./service-view.ts";
import { staffPeopleOperations } from "./staff-people.ts";
import { siteTextOperations } from "./site-texts.ts";
import { staffQuoteOperations } from "./staff-quotes.ts";
import { tileOperations } from "./tiles.ts";
import { systemOperations } from "./system.ts";
import { toolOperations } from "./tools.ts";
import { transferOperations } from "./transfers.ts";

/** Every operation of the API, by its path under /api. */
export const operations = {
  ...accountOperations,
  ...quoteOperations,
  ...quoteDecisionOperations,
  ...rateOperations,
  ...orderOperations,
  ...billingOperations,
  ...registerOperations,
  ...contractOperations,
  ...orderDetailsOperations,
  ...refundOperations,
  ...eInvoiceOperations,
  ...reconcileOperations,
  ...receivableOperations,
  ...writeOffOperations,
  ...transferOperations,
  ...fileOperations,
  ...toolOperations,
  ...engineOperations,
  ...onboardingOperations,
  ...obligationOperations,
  ...coverageOperations,
  ...incidentOperations,
  ...ladderOperations,
  ...incidentFindingOperations,
  ...incidentLevelOperations,
  ...peopleOperations,
  ...staffPeopleOperations,
  ...dataRequestOperations,
  ...reportOperations,
  ...serviceReportOperations,
  ...serviceViewOperations,
  ...contentOperations,
  ...postOperations,
  ...proofOperations,
  ...siteTextOperations,
  ...logSourceOperations,
  ...tileOperations,
  ...leadOperations,
  ...leadInboxOperations,
  ...staffQuoteOperations,
  ...auditOperations,
  ...actionOperations,
  ...systemOperations,
  ...noticeOperations,
  ...mailChoiceOperations,
  ...announcementOperations,
  ...paletteOperations,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** The input of a client: before defaults and transformations. */
export type Sent<Name extends OperationName> = z.input<Operations[Name]["input"]>;
/** The input of a handler: parsed. */
export type Input<Name extends OperationName> = z.output<Operations[Name]["input"]>;
export type Answer<Name extends OperationName> = z.output<Operations[Name]["answer"]>;
