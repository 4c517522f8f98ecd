import { eq, or, sql } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import {
  contactLadders,
  findingDecisions,
  incidentFacts,
  incidentFiles,
  incidentViews,
  ladderCalls,
  suppressionRules,
} from "../database/schema/index.ts";
import { type DataSection, whole } from "./data-section.ts";

/** Sections about incidents; a part of `dataSections`. */
export const incidentSections: readonly DataSection[] = [
  {
    name: "incidentFacts",
    title: "What the person told of incidents",
    rows: whole(incidentFacts, (owner) => isOneOf(incidentFacts.personId, owner.people)),
    without: ["eventKey"],
  },
  {
    name: "incidentViews",
    title: "Incidents that the person opened, and when first",
    rows: whole(incidentViews, (owner) => isOneOf(incidentViews.personId, owner.people)),
  },
  {
    name: "incidentFiles",
    title: "Files that the person attached to incidents",
    rows: whole(incidentFiles, (owner) => isOneOf(incidentFiles.personId, owner.people)),
    without: ["file"],
  },
  {
    name: "findingDecisions",
    title: "Findings that the person decided about or disputed",
    rows: whole(findingDecisions, (owner) =>
      or(isOneOf(findingDecisions.personId, owner.people), isOneOf(findingDecisions.disputedBy, owner.people)),
    ),
  },
  {
    name: "suppressionRules",
    title: "Findings that the person said are no incident, and why",
    rows: whole(suppressionRules, (owner) =>
      or(isOneOf(suppressionRules.createdBy, owner.people), isOneOf(suppressionRules.endedBy, owner.people)),
    ),
  },
  {
    name: "ladders",
    title: "Where the person is named as somebody to call",
    rows: (transaction, owner) =>
      transaction
        .select({
          organisationId: contactLadders.organisationId,
          contact: sql`jsonb_path_query_array(${contactLadders.contacts}, '$[*] ? (@.email == $email)', jsonb_build_object('email', ${owner.email}::text))`,
        })
        .from(contactLadders)
        .where(sql`${contactLadders.contacts} @> jsonb_build_array(jsonb_build_object('email', ${owner.email}::text))`),
  },
  {
    name: "calls",
    title: "Calls in an attack",
    rows: whole(ladderCalls, (owner) => eq(sql`lower(${ladderCalls.email})`, owner.email)),
  },
];
