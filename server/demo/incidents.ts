import { and, eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { earlier, later } from "../../contract/durations.ts";
import type { IncidentPayload } from "../../contract/incident-payload.ts";
import type { IncidentNews, IncidentSeverity } from "../../contract/incident-states.ts";
import type { Transaction } from "../database/database.ts";
import {
  contactLadders,
  engineBindings,
  engineIncidents,
  incidentFacts,
  incidents,
  people,
} from "../database/schema/index.ts";
import { settleIncident } from "../incidents/settle-incident.ts";
import type { Services } from "../services.ts";
import { insertFindings } from "./findings.ts";
import { sampleFleet } from "./engines/fleet.ts";

/** An event, with the minutes since the incident began. */
type Happening = [minutes: number, news: IncidentNews, by: "us" | "customer" | "engine", payload?: IncidentPayload];

interface DemoIncident {
  title: string;
  severity: IncidentSeverity;
  /** How long ago the incident began. */
  daysAgo: number;
  happened: Happening[];
}

/** Sample incidents of past weeks, with promises kept and one broken. */
const past: DemoIncident[] = [
  {
    title: "Sample: a stranger signed in to a mailbox",
    severity: "P2",
    daysAgo: 52,
    happened: [
      [9, "seen", "us"],
      [12, "owner", "us"],
      [35, "action", "us", { text: "Sessions of the account ended, its password reset with the customer." }],
      [48, "contained", "us"],
      [260, "resolved", "us", { text: "No rule forwards mail, nothing was sent." }],
      [1500, "closed", "us", { verdict: "true_positive" }],
    ],
  },
  {
    title: "Sample: malware stopped on an office workstation",
    severity: "P3",
    daysAgo: 44,
    happened: [
      [22, "seen", "us"],
      [60, "contained", "us", { text: "The workstation is cut off from the network." }],
      [900, "resolved", "us", { text: "Installed anew by the customer’s IT." }],
      [2000, "closed", "us", { verdict: "true_positive" }],
    ],
  },
  {
    title: "Sample: many failed sign-ins at the VPN",
    severity: "P2",
    daysAgo: 33,
    happened: [
      [47, "seen", "us", { text: "Seen late: the shift was changing." }],
      [
        70,
        "asked",
        "us",
        { text: "Do people travel at present?", waits: "customer", reason: "Only you know who travels" },
      ],
      [130, "answered", "customer", { text: "Two of our sales people, in Dubai." }],
      [150, "closed", "us", { verdict: "false_positive" }],
    ],
  },
  {
    title: "Sample: a weakness in a web server that faces the internet",
    severity: "P4",
    daysAgo: 27,
    happened: [
      [120, "seen", "us"],
      [1600, "action", "us", { text: "The maker’s update is proposed to the customer." }],
      [4300, "resolved", "us"],
      [5000, "closed", "us", { verdict: "true_positive" }],
    ],
  },
];

/** The demo's incidents: past ones, a P2 in progress, a contact ladder, and weeks of findings with their outcomes. */
export async function insertIncidents(
  services: Services,
  transaction: Transaction,
  organisationId: string,
): Promise<void> {
  const staff = await personOf(transaction, "adminChild");
  const customer = await personOf(transaction, "user");
  if (!staff || !customer || !organisationId) return;
  for (const incident of past)
    await insertIncident(services, transaction, { organisationId, staff: staff.id, customer: customer.id }, incident);
  await transaction.insert(contactLadders).values({
    organisationId,
    contacts: [
      { name: "Asha Rao", says: "Head of IT (sample)", phone: "+918000000101", email: customer.email },
      { name: "Sample Night Desk", says: "At night (sample)", phone: "+918000000102", email: "night@demo.example" },
    ],
    changedAt: earlier(services.now(), { days: 60 }),
    changedBy: customer.id,
  });
  await insertOpen(services, transaction, { organisationId, staff: staff.id, customer: customer.id });
  await insertFindings(services, transaction, organisationId, staff.id);
}

async function personOf(transaction: Transaction, role: "adminChild" | "user") {
  const [found] = await transaction
    .select({ id: people.id, email: people.email })
    .from(people)
    .where(
      and(eq(people.role, role), sql`${people.email} like '%@demo.example'`, sql`${people.passwordHash} is not null`),
    )
    .orderBy(people.id)
    .limit(1);
  return found;
}

interface Whose {
  organisationId: string;
  staff: string;
  customer: string;
}

async function insertIncident(
  services: Services,
  transaction: Transaction,
  whose: Whose,
  { title, severity, daysAgo, happened }: DemoIncident,
  of: Partial<typeof incidents.$inferInsert> = {},
): Promise<void> {
  const openedAt = of.openedAt ?? earlier(services.now(), { days: daysAgo });
  const [made] = await transaction
    .insert(incidents)
    .values({
      organisationId: whose.organisationId,
      title,
      severity,
      source: "analyst",
      changedAt: openedAt,
      createdAt: openedAt,
      ...of,
      openedAt,
    })
    .returning();
  if (!made) throw new Error("An incident of the demo was not made");
  const all: Happening[] = [[0, "detected", "engine", { severity }], ...happened];
  for (const [minutes, news, by, payload = {}] of all) {
    const at = later(openedAt, { minutes });
    const asks = all.some(([, other]) => other === "answered") && news === "answered";
    const ask = asks ? await lastAsk(transaction, made.id) : undefined;
    await transaction.insert(incidentFacts).values({
      incidentId: made.id,
      news,
      occurredAt: at,
      recordedAt: at,
      by,
      personId: by === "us" ? whose.staff : by === "customer" ? whose.customer : null,
      payload: { ...payload, ...(news === "owner" && { ownerId: whose.staff }), ...(ask && { ask }) },
      eventKey: randomUUID(),
    });
  }
  await settleIncident(services, transaction, made);
}

async function lastAsk(transaction: Transaction, incidentId: string) {
  const [asked] = await transaction
    .select({ id: incidentFacts.id })
    .from(incidentFacts)
    .where(and(eq(incidentFacts.incidentId, incidentId), eq(incidentFacts.news, "asked")));
  return asked?.id;
}

/** The open case of the DFIR-IRIS stand-in, as it has been worked on so far. */
async function insertOpen(services: Services, transaction: Transaction, whose: Whose): Promise<void> {
  const now = services.now();
  const open = sampleFleet(now).incidents.find(({ closedAt }) => closedAt === null);
  const [binding] = await transaction
    .select({ id: engineBindings.id })
    .from(engineBindings)
    .where(and(eq(engineBindings.organisationId, whose.organisationId), eq(engineBindings.kind, "iris")));
  if (!open || !binding) return;
  const [told] = await transaction
    .insert(engineIncidents)
    .values({
      bindingId: binding.id,
      organisationId: whose.organisationId,
      externalId: String(open.number),
      title: `#${open.number} - ${open.title}`,
      severity: "high",
      rawSeverity: "High",
      state: "in_progress",
      rawState: "In progress",
      openedAt: open.openedAt,
      firstResponseAt: open.firstResponseAt,
      timeline: [],
      figures: {},
      changedAt: now,
    })
    .returning();
  const happened: Happening[] = [
    [25, "seen", "us"],
    [28, "owner", "us"],
    [40, "investigating", "engine"],
    [55, "action", "us", { text: "Both firewalls answer; their log forwarding was switched off by a change on them." }],
    [
      70,
      "asked",
      "us",
      {
        text: "Was the change of the log forwarding on fw-blr-1 and fw-blr-2 yours? If not, please leave both as they are and call us.",
        waits: "customer",
        reason: "The change window is known to the customer only",
      },
    ],
  ];
  await insertIncident(
    services,
    transaction,
    whose,
    { title: `#${open.number} - ${open.title}`, severity: "P2", daysAgo: 0, happened },
    {
      source: "engine",
      bindingId: binding.id,
      engineIncidentId: told?.id ?? null,
      externalId: String(open.number),
      engineTakenAt: now,
      openedAt: open.openedAt,
    },
  );
}
