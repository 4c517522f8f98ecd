import { and, eq, isNull } from "drizzle-orm";
import { quoteDecisions, quotes } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { deliverAcceptance } from "./deliver-acceptance.ts";
import { deliverProposal } from "./deliver-proposal.ts";

export const quoteJobs: JobTable<"render-proposal" | "render-acceptance"> = {
  "render-proposal": {
    run: (services, { quoteId }) => deliverProposal(services, quoteId),
    atOnce: 2,
    owed: { table: quotes, since: quotes.createdAt, missing: isNull(quotes.proposalFile), key: "quoteId" },
  },
  "render-acceptance": {
    run: (services, { decisionId }) => deliverAcceptance(services, decisionId),
    owed: {
      table: quoteDecisions,
      since: quoteDecisions.decidedAt,
      missing: and(eq(quoteDecisions.kind, "accepted"), isNull(quoteDecisions.file)),
      key: "decisionId",
    },
  },
};
