import { afterAll, beforeAll, expect, it } from "vitest";
import type { CertificateData, IncidentOfMonth, ReportData } from "../../contract/report-data.ts";
import { brokenDays, overlapsOf, readPdf } from "../../tests/read-pdf.ts";
import type { Documents } from "../outside/documents/documents.ts";
import { startDocuments } from "../outside/documents/start-documents.ts";
import { certificatePaper } from "./certificate-document.ts";
import { reportPaper } from "./report-document.ts";

let documents: Documents;
beforeAll(() => {
  documents = startDocuments();
});
afterAll(() => documents.close());

const writtenAt = new Date("2026-11-01T04:00:00Z");
const customer = "Bharatiya Vidyut Utpadan Nigam Private Limited";
const month = { customer, month: "2026-10-01", timeZone: "Asia/Kolkata" };

/** Counts whose sentence about coverage would end a line after the day. */
const line = {
  name: "Servers",
  contracted: 246_912,
  connected: 246_912,
  silent: 0,
  neverConnected: 0,
  unknown: 0,
  missing: 0,
  daysSilent: 0,
  daysUnknown: 0,
};

it("A report keeps the words of each column apart, with long names and every clock told", async () => {
  const incident: IncidentOfMonth = {
    number: "I-000010",
    title:
      "Ransomware on three servers of the rolling mill in Jamshedpur, fw-jamshedpur-substation-4.vidyut.example.in",
    severity: "unknown",
    openedAt: "2026-10-10T04:10:00Z",
    acknowledgedAt: "2026-10-10T04:25:00Z",
    containedAt: "2026-10-10T09:05:00Z",
    resolvedAt: "2026-10-11T11:05:00Z",
    broken: ["acknowledge", "contain", "resolve"],
  };
  const data: ReportData = {
    ...month,
    partner: null,
    from: "2026-09-30T18:30:00Z",
    until: "2026-10-31T18:30:00Z",
    coverage: { countedOn: "2026-11-01", lines: [line], notContracted: 0, daysCounted: 31, daysOfMonth: 31 },
    incidents: {
      opened: { P1: 0, unknown: 1, P2: 0, P3: 0, P4: 1204 },
      resolved: 1,
      open: 0,
      rows: [incident],
      more: 0,
    },
    promises: { isSample: false, rows: [{ clock: "acknowledge", kept: 1_00_128, broken: 112, undone: 11 }] },
    findings: { suppressed: 12_031, benign: 421, attached: 35, open: 12 },
    actions: [{ what: "2 × Firewall: See that logging is on", side: "customer", owner: customer, since: null }],
    retention: { sources: 30_000, known: 28, held180: 12_000, held365: 6, gaps: 2 },
    changes: [],
    contract: null,
    filings: [
      {
        incident: "I-000010",
        obligation: "Report a cyber incident to CERT-In",
        filedAt: "2026-10-10T09:10:00Z",
        reference: "CERTIn-2026-998120001234567890123456789",
        late: true,
      },
    ],
    coming: [],
    before: {
      watchedPercent: 33,
      incidents: 1_204,
      promisesKept: 1_00_128,
      promisesBroken: 1_00_128,
      openActions: 1,
      sourcesHeld180: 12,
    },
  };
  const pdf = await documents.render("serviceReport", reportPaper(data, writtenAt, null, ""));
  expect(await overlapsOf(pdf)).toEqual([]);
  const { text } = await readPdf(pdf);
  expect(await brokenDays(pdf)).toEqual([]);
  for (const told of ["1,00,128 kept 112 broken", "1,204 × P4, low"]) expect(text).toContain(told);
});

it("A certificate keeps a source's name readable, however long its engine's is", async () => {
  const source = {
    name: "fw-jamshedpur-rolling-mill-substation-4.vidyut.example.in",
    engine: "OpenSearch Security Analytics",
    firstEventAt: "2025-09-20T18:30:00Z",
    lastEventAt: "2026-10-20T10:30:00Z",
    days: 100,
    gaps: [{ from: "2026-10-02T18:30:00Z", until: "2026-10-04T18:30:00Z", watchedUntil: "2026-10-03T18:30:00Z" }],
  };
  const data: CertificateData = {
    ...month,
    closedAt: "2026-10-31T18:30:00Z",
    stated: null,
    gapHours: 24,
    sources: [source],
    notCovered: [{ name: source.name, engine: source.engine, because: "untold" }],
  };
  expect(await overlapsOf(await documents.render("retention", certificatePaper(data, writtenAt, "")))).toEqual([]);
});
