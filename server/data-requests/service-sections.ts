import { or } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import {
  deviceDecisions,
  entityClassVersions,
  matchRules,
  obligationFilings,
  obligationVersions,
  onboardingItems,
  onboardings,
  regulatorFacts,
  silenceLimits,
  sites,
} from "../database/schema/index.ts";
import { type DataSection, whole } from "./data-section.ts";

/** Sections about setting up the service and its reports; a part of `dataSections`. */
export const serviceSections: readonly DataSection[] = [
  {
    name: "onboardings",
    title: "Onboarding of the organization",
    rows: whole(onboardings, (owner) =>
      or(isOneOf(onboardings.timeZoneSetBy, owner.people), isOneOf(onboardings.organisationId, owner.organisations)),
    ),
  },
  {
    name: "onboardingLines",
    title: "Lines of an onboarding that are the person's, or that they ticked",
    rows: whole(onboardingItems, (owner) =>
      or(isOneOf(onboardingItems.ownerId, owner.people), isOneOf(onboardingItems.tickedBy, owner.people)),
    ),
  },
  {
    name: "sites",
    title: "Sites that the person added",
    rows: whole(sites, (owner) => isOneOf(sites.addedBy, owner.people)),
  },
  {
    name: "deviceDecisions",
    title: "What the person said of devices",
    rows: whole(deviceDecisions, (owner) => isOneOf(deviceDecisions.decidedBy, owner.people)),
  },
  {
    name: "matchRules",
    title: "Rules by which the person told devices apart",
    rows: whole(matchRules, (owner) => isOneOf(matchRules.changedBy, owner.people)),
  },
  {
    name: "silenceLimits",
    title: "After how long a device is silent, as the person said",
    rows: whole(silenceLimits, (owner) => isOneOf(silenceLimits.changedBy, owner.people)),
  },
  {
    name: "entityClasses",
    title: "What the person said their organization is to regulators",
    rows: whole(entityClassVersions, (owner) => isOneOf(entityClassVersions.setBy, owner.people)),
  },
  {
    name: "attestedFacts",
    title: "Facts of incidents that the person attested",
    rows: whole(regulatorFacts, (owner) => isOneOf(regulatorFacts.enteredBy, owner.people)),
  },
  {
    name: "filings",
    title: "Reports to regulators that the person filed or recorded",
    rows: whole(obligationFilings, (owner) =>
      or(isOneOf(obligationFilings.filedBy, owner.people), isOneOf(obligationFilings.recordedBy, owner.people)),
    ),
  },
  {
    name: "obligationVersions",
    title: "Obligations that the person wrote or verified",
    rows: whole(obligationVersions, (owner) =>
      or(isOneOf(obligationVersions.madeBy, owner.people), isOneOf(obligationVersions.verifiedBy, owner.people)),
    ),
  },
];
