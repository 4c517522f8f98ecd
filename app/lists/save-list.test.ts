import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { saveLines } from "../coverage/coverage-files.ts";
import { incidentColumns } from "../incidents/incident-columns.tsx";
import { saveList } from "./save-list.ts";

let files: Blob[] = [];
beforeEach(() => {
  files = [];
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("sessionStorage", {});
  vi.stubGlobal("document", { createElement: () => ({ click: () => {} }) });
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return "blob:";
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const savedRows = async () => (await files[0]?.text())?.split("\r\n").slice(1, -1);
const incident = {
  id: "1",
  number: "INC-1",
  title: "Seen at 2026-11-30T19:00:00.000Z",
  severity: "P2",
  state: "new",
  waits_for: null,
  organization_name: "Kaveri Mills",
  next_clock: "acknowledge",
  next_due_at: "2026-11-30T19:45:00.000Z",
  opened_at: "2026-11-30T19:00:00.000Z",
  changed_at: "2026-11-30T19:00:00.000Z",
};

it("A time among our words is India's as in the other columns, and what a person wrote stays as it is", async () => {
  vi.stubGlobal("fetch", async () => new Response(`${JSON.stringify(incident)}\n`));
  const list = { format: "csv", columns: incidentColumns("admin"), fileName: "incidents" } as const;
  await saveList({ name: "admin/incidents", ...list }, () => {}, new AbortController().signal);
  expect(await savedRows()).toEqual([
    [
      "INC-1 Seen at 2026-11-30T19:00:00.000Z,Kaveri Mills,P2",
      "New,Acknowledge by 2026-12-01T01:15:00.000+05:30",
      "2026-12-01T00:30:00.000+05:30,2026-12-01T00:30:00.000+05:30",
    ].join(","),
  ]);
});

it("A list that ends within a record is saved nowhere, as it broke off", async () => {
  vi.stubGlobal("fetch", async () => new Response(`${JSON.stringify(incident)}\n{"id":"2`));
  const list = { format: "csv", columns: incidentColumns("admin"), fileName: "incidents" } as const;
  const saved = saveList({ name: "admin/incidents", ...list }, () => {}, new AbortController().signal);
  await expect(saved).rejects.toMatchObject({ code: "unreachable" });
  expect(files).toEqual([]);
});

it("The time of a count of devices is saved as it is in India", async () => {
  const counts = { contracted: 3, connected: 2, silent: 0, neverConnected: 0, unknown: 0, missing: 1 };
  const type = {
    service: "SIEM",
    deviceType: "firewall",
    name: "Firewall",
    unknownSince: null,
    silenceMinutes: 60,
    reasons: [],
  };
  const whole = { notContracted: 0, additions: [], unmatched: 0, unknownSince: null };
  saveLines({ ...whole, asOf: "2026-11-30T19:00:00.000Z", lines: [{ ...type, ...counts }] });
  expect(await savedRows()).toEqual(["2026-12-01T00:30:00.000+05:30,SIEM,Firewall,3,2,0,0,0,1,0"]);
});
