import { or } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import { contractChanges, contracts, lessRequests, trueUps } from "../database/schema/index.ts";
import { type DataSection, whole } from "./data-section.ts";

/** Sections about contracts; a part of `dataSections`. */
export const contractSections: readonly DataSection[] = [
  {
    name: "requestsForFewer",
    title: "Fewer devices that the person asked for or decided about",
    rows: whole(lessRequests, (owner) =>
      or(isOneOf(lessRequests.askedBy, owner.people), isOneOf(lessRequests.decidedBy, owner.people)),
    ),
  },
  {
    name: "contracts",
    title: "Contracts",
    rows: whole(contracts, (owner) =>
      or(isOneOf(contracts.orderId, owner.orders), isOneOf(contracts.renewalChosenBy, owner.people)),
    ),
    without: ["searched"],
  },
  {
    name: "contractChanges",
    title: "Changes of contracts that the person made",
    rows: whole(contractChanges, (owner) => isOneOf(contractChanges.madeBy, owner.people)),
  },
  {
    name: "trueUps",
    title: "Devices beyond the contract that the person disputed or decided about",
    rows: whole(trueUps, (owner) =>
      or(isOneOf(trueUps.disputedBy, owner.people), isOneOf(trueUps.decidedBy, owner.people)),
    ),
  },
];
