import { isNull } from "drizzle-orm";
import { quotes } from "../database/schema/index.ts";
import type { JobTable } from "../job.ts";
import { deliverProposal } from "./deliver-proposal.ts";

export const quoteJobs: JobTable<"render-proposal"> = {
  "render-proposal": {
    run: (services, { quoteId }) => deliverProposal(services, quoteId),
    atOnce: 2,
    owed: { table: quotes, since: quotes.createdAt, missing: isNull(quotes.proposalFile), key: "quoteId" },
  },
};
