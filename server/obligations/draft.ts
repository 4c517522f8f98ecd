import { brand } from "../../contract/brand.ts";
import { incidentTypes } from "../../contract/incident-types.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { AttestedFact } from "../../contract/obligations.ts";
import { type FactValue, factKinds, type RegulatorFactKind } from "../../contract/regulator-facts.ts";
import { notFound } from "../failures/failure.ts";
import { brandOnPaper, paperDay } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import type { Transaction, Database } from "../database/database.ts";
import { organisations } from "../database/schema/index.ts";
import { eq } from "drizzle-orm";
import { findIncident, type IncidentRow, type IncidentScope } from "../incidents/find-incident.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { readState } from "./incident-state.ts";
import { writtenInIndia } from "./written-in-india.ts";

interface DraftOf {
  title: string;
  facts: [name: string, value: string][];
  fields: { label: string; value: string; source: string; isMissing: boolean }[];
  remarks: string[];
}

const duty =
  "DRAFT. Nobody has filed this. The duty to report is the organization's own, and can't be passed on; a person of it reads, completes and files this.";

/**
 * A draft of the report that an obligation asks for, as text or as PDF in base64.
 * @throws Failure not_found, too_many_requests
 */
export async function writeDraft(
  services: Services,
  scope: IncidentScope,
  asked: { id: string; key: string; format: "text" | "pdf" },
): Promise<{ fileName: string; type: string; content: string; text: string }> {
  const incident = await findIncident(services.database, scope, asked.id);
  const draft = await readDraft(services.database, incident, asked.key, services.now());
  const text = asText(draft);
  const fileName = `draft-${incidentNumber(incident.serial)}-${asked.key}`;
  if (asked.format === "text")
    return {
      text,
      fileName: `${fileName}.txt`,
      type: "text/plain;charset=utf-8",
      content: Buffer.from(text).toString("base64"),
    };
  await services.limiter.consume("paperByAccount", scope.actor.personId);
  const { cin } = await readSeller(services.database);
  const pdf = await services.documents.render("reportDraft", { brand: brandOnPaper(brand, cin), duty, ...draft });
  return { text, fileName: `${fileName}.pdf`, type: "application/pdf", content: Buffer.from(pdf).toString("base64") };
}

/** The text that is kept with a filing. @throws Failure not_found */
export const draftText = async (database: Database | Transaction, incident: IncidentRow, key: string, now: Date) =>
  asText(await readDraft(database, incident, key, now));

async function readDraft(
  database: Database | Transaction,
  incident: IncidentRow,
  key: string,
  now: Date,
): Promise<DraftOf> {
  const state = await readState(database, incident, now);
  const clock = state.clocks.find(({ obligation }) => obligation.key === key);
  if (!clock) throw notFound("This obligation");
  return draftOf(incident, clock, state, await legalNameOf(database, incident), now);
}

/**
 * The drafts of all obligations that apply or may apply to an incident, as text by obligation key; and the drafts kept
 * with its filings, as they were then, in the order of recording.
 */
export async function draftTexts(
  database: Database,
  incident: IncidentRow,
  now: Date,
): Promise<Record<"drafts" | "filed", { key: string; text: string }[]>> {
  const state = await readState(database, incident, now);
  const name = await legalNameOf(database, incident);
  const drafts = state.clocks
    .filter((clock) => clock.state !== "not" && clock.state !== "not in force")
    .map((clock) => ({ key: clock.obligation.key, text: asText(draftOf(incident, clock, state, name, now)) }));
  return { drafts, filed: state.filings.map(({ obligationKey, draft }) => ({ key: obligationKey, text: draft })) };
}

async function legalNameOf(database: Database | Transaction, { organisationId }: IncidentRow): Promise<string> {
  const [owner] = await database
    .select({ name: organisations.name, legalName: organisations.legalName })
    .from(organisations)
    .where(eq(organisations.id, organisationId));
  return owner?.legalName ?? owner?.name ?? "";
}

type State = Awaited<ReturnType<typeof readState>>;

function draftOf(
  incident: IncidentRow,
  { obligation, started, dueAt, span }: State["clocks"][number],
  { facts, day }: State,
  from: string,
  now: Date,
): DraftOf {
  return {
    title: obligation.title,
    facts: [
      ["To", obligation.recipient],
      ["Under", `${obligation.instrument}, ${obligation.paragraph}`],
      ["From", from],
      ["Incident", `${incidentNumber(incident.serial)} ${incident.title}`],
      ["Day of the incident", paperDay(day)],
      ["Time allowed", span],
      [
        "Clock",
        started ? `${factKinds[started.fact].label} on ${writtenInIndia(started.at)}` : "not started: no time is known",
      ],
      ["To be filed by", dueAt ? writtenInIndia(dueAt) : "not known"],
      ["Written", writtenInIndia(now)],
    ],
    fields: obligation.form.map(({ label, fact }) => fieldOf(label, fact, facts)),
    remarks: [
      obligation.formSeen
        ? ""
        : "The regulator's present form was not seen: the order of the fields is taken from descriptions of it.",
      obligation.note,
      obligation.verified
        ? `The words of this obligation were verified by ${obligation.verified.by}.`
        : "Nobody has verified the words of this obligation against the official text yet.",
    ].filter(Boolean),
  };
}

function fieldOf(label: string, kind: RegulatorFactKind | null, facts: readonly AttestedFact[]) {
  if (kind === null) return { label, value: "To be added by whoever files", source: "", isMissing: true };
  const fact = facts.find((each) => each.kind === kind && each.holds);
  if (!fact) return { label, value: "NOT KNOWN", source: `Who can say: ${factKinds[kind].who}`, isMissing: true };
  const source = `${fact.by}, entered on ${writtenInIndia(new Date(fact.enteredAt))}`;
  return { label, value: writtenValue(kind, fact.value), source, isMissing: false };
}

/** An attested value in words. */
export function writtenValue(kind: RegulatorFactKind, value: FactValue): string {
  if ("at" in value) return writtenInIndia(new Date(value.at));
  if ("yes" in value) return value.yes ? "Yes" : "No";
  if ("words" in value) return value.words;
  if ("types" in value)
    return value.types.map((each) => `${each} ${incidentTypes[each]}`).join("; ") || "None of the twenty kinds";
  const { of } = factKinds[kind];
  return (typeof of === "object" && (of as Record<string, string>)[value.choice]) || value.choice;
}

function asText({ title, facts, fields, remarks }: DraftOf): string {
  return [
    title,
    duty,
    "",
    ...facts.map(([name, value]) => `${name}: ${value}`),
    "",
    ...fields.flatMap(({ label, value, source }, index) => [
      `${index + 1}. ${label}`,
      ...value.split("\n").map((line) => `   ${line}`),
      ...(source ? [`   (${source})`] : []),
      "",
    ]),
    ...remarks.map((remark) => `Note: ${remark}`),
    "",
  ].join("\n");
}
