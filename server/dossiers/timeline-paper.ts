import { brand } from "../../contract/brand.ts";
import {
  clockNames,
  clockStates,
  incidentNews,
  incidentSources,
  incidentStates,
  severityNames,
} from "../../contract/incident-states.ts";
import type { IncidentRoom } from "../../contract/incidents.ts";
import { indiaZone } from "../../contract/india-time.ts";
import { brandOnPaper } from "../outside/documents/paper.ts";
import { paperTimeIn } from "../service-reports/paper-times.ts";
import { teller } from "./dossier-tables.ts";

const at = (instant: string | null) => (instant ? paperTimeIn(instant, indiaZone) : "–");

/** The data for the timeline's template. */
export const timelinePaper = (room: IncidentRoom, customer: string, writtenAt: Date, cin: string) => ({
  brand: brandOnPaper(brand, cin),
  title: `${room.number}: ${room.title}`,
  head: [
    ["Customer", customer],
    ["Severity", severityNames[room.severity]],
    ["State", incidentStates[room.state]],
    ["How it began", incidentSources[room.source]],
    ["Detected or reported", at(room.opened_at)],
    ["Owner", room.owner ?? "Nobody"],
    ["Seen first at the customer", room.first_seen ? `${room.first_seen.by},\n${at(room.first_seen.at)}` : "Not yet"],
    ["Written", at(writtenAt.toISOString())],
  ],
  clocks: room.clocks.map((clock) => [
    clockNames[clock.clock],
    clockStates[clock.state],
    clock.promised ?? "Nothing",
    at(clock.started_at),
    at(clock.due_at),
    at(clock.ended_at),
  ]),
  timeline: room.timeline
    .toReversed()
    .map((fact) => [
      at(fact.occurred_at),
      [
        incidentNews[fact.news],
        fact.severity ? `: ${severityNames[fact.severity]}` : "",
        fact.withdrawn ? " (taken back)" : fact.stands ? "" : " (corrected later)",
      ].join(""),
      teller(fact),
      [fact.text, fact.reason].filter(Boolean).join("\n"),
    ]),
  files: room.files.map(({ name, by, person, attached_at, sha256 }) => [
    name,
    teller({ by, person }),
    at(attached_at),
    sha256,
  ]),
});
