import { inArray, or } from "drizzle-orm";
import { contracts, lessRequests } from "../database/schema/index.ts";
import type { DataSection } from "./data-section.ts";

/** What is kept about people with contracts; a part of `dataSections`. */
export const contractSections: readonly DataSection[] = [
  {
    name: "requestsForFewer",
    title: "Fewer devices that the person asked for or decided about",
    rows: (transaction, owner) =>
      transaction
        .select()
        .from(lessRequests)
        .where(or(inArray(lessRequests.askedBy, owner.people), inArray(lessRequests.decidedBy, owner.people))),
  },
  {
    name: "contracts",
    title: "Contracts",
    rows: (transaction, owner) =>
      transaction
        .select()
        .from(contracts)
        .where(or(inArray(contracts.orderId, owner.orders), inArray(contracts.renewalChosenBy, owner.people))),
    without: ["searched"],
  },
];
