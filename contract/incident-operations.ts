import { z } from "zod";
import { Email, FreeText, line, Message, ToldInstant } from "./fields.ts";
import { incidentSeverities, incidentVerdictNames, knownSeverities } from "./incident-states.ts";
import { Incident, incidentList, IncidentQuerySchema, IncidentRoom, Waits } from "./incidents.ts";
import { limits } from "./limits.ts";
import { listPage } from "./lists.ts";
import { operation } from "./operation.ts";

const IncidentQueryOf = IncidentQuerySchema.extend({ email: Email.optional() });
const Counts = z.object({
  open: z.number().int(),
  by_severity: z.array(z.object({ severity: z.enum(incidentSeverities), open: z.number().int() })),
  /** Open incidents with a broken promise. */
  broken: z.number().int(),
  /** Questions without an answer, and waits for the customer. */
  asks: z.number().int(),
  /** For one customer; null over several. */
  closed_last_30_days: z.number().int().nullable(),
});
const Incidents = z.object({ incidents: z.array(Incident), counts: Counts, ...listPage });

const id = z.object({ id: z.uuid() });
/** Chosen by the client: repeating the call records the fact once. */
const ofFact = z.object({ id: z.uuid(), fact_id: z.uuid() });
const base64Max = Math.ceil(limits.incidentFileBytesMax / 3) * 4;
const megabytes = limits.incidentFileBytesMax / 1024 ** 2;
const Reason = line(limits.contractReasonLengthMax, "Please say why");

const readsRoom = () =>
  operation({
    method: "get",
    summary: "An incident with its clocks and all that happened",
    input: id,
    answer: IncidentRoom,
  });
const comments = () =>
  operation({
    method: "post",
    summary: "Comment on an incident; a repeated fact_id comments once",
    input: ofFact.extend({ text: FreeText }),
    answer: Message,
  });
const attaches = () =>
  operation({
    method: "post",
    summary: `Attach a file to an incident: PDF, PNG, JPEG, text, CSV, JSON, or a ZIP, at most ${megabytes} MB. A repeated file_id attaches once`,
    input: z.object({
      id: z.uuid(),
      file_id: z.uuid(),
      name: line(120, "Please name the file"),
      file: z
        .base64("Please choose a file")
        .min(1, "Please choose a file that is not empty")
        .max(base64Max, `Please choose a file of at most ${megabytes} MB`),
    }),
    answer: Message,
    status: 201,
    bodyBytesMax: base64Max + 4096,
  });
const opensFile = () =>
  operation({
    method: "post",
    summary: "An address that gives a file of an incident for a few minutes",
    input: z.object({ id: z.uuid(), file_id: z.uuid() }),
    answer: z.object({ signedUrl: z.string() }),
  });

const makesDossier = () =>
  operation({
    method: "post",
    summary:
      "An address that gives everything about an incident as a ZIP, for a few minutes and while the session lasts: timeline, clocks, drafts, filings and files, with the SHA-256 of each",
    input: id,
    answer: z.object({ signedUrl: z.string() }),
  });

const Tell = ofFact.extend({
  news: z.enum([
    "seen",
    "owner",
    "severity",
    "investigating",
    "asked",
    "answered",
    "waiting",
    "resumed",
    "action",
    "contained",
    "resolved",
    "closed",
    "reopened",
    "commented",
  ]),
  /** Defaults to now. */
  occurred_at: ToldInstant.optional(),
  text: FreeText.optional(),
  severity: z.enum(knownSeverities).optional(),
  /** E-mail of one of our staff; for `owner`, defaults to the caller. */
  owner_email: Email.optional(),
  /** Whom the incident waits for. Clocks that may pause do so if a reason is given. */
  waits_for: Waits.optional(),
  reason: Reason.optional(),
  /** For `answered`: the question. */
  ask: z.uuid().optional(),
  verdict: z.enum(incidentVerdictNames).optional(),
  internal: z.boolean().optional(),
  /** The fact that this one replaces; both stay visible. */
  corrects: z.uuid().optional(),
  /** The corrected fact never happened. */
  withdrawn: z.boolean().optional(),
});
export type TellInput = z.output<typeof Tell>;

export const incidentOperations = {
  "user/incidents": operation({
    method: "get",
    summary: `The organization's incidents, the worst first; a filter by severity and by whether they are open. ${incidentList.summary}`,
    input: IncidentQuerySchema,
    answer: Incidents,
  }),
  "user/incidents/{id}": readsRoom(),
  "user/incidents/comment": comments(),
  "user/incidents/answer": operation({
    method: "post",
    summary: "Answer what was asked of you; a repeated fact_id answers once",
    input: ofFact.extend({ ask: z.uuid(), text: FreeText }),
    answer: Message,
  }),
  "user/incidents/attach": attaches(),
  "user/incidents/file": opensFile(),
  "user/incidents/dossier": makesDossier(),
  "partner/incidents": operation({
    method: "get",
    summary: `The incidents of the partner's customers, or of one of them, the worst first. ${incidentList.summary}`,
    input: IncidentQueryOf,
    answer: Incidents,
  }),
  "partner/incidents/{id}": readsRoom(),
  "partner/incidents/comment": comments(),
  "partner/incidents/file": opensFile(),
  "partner/incidents/dossier": makesDossier(),
  "admin/incidents": operation({
    method: "get",
    summary: `Everybody's incidents, or those of one customer, the worst first. ${incidentList.summary}`,
    input: IncidentQueryOf,
    answer: Incidents,
  }),
  "admin/incidents/{id}": readsRoom(),
  "admin/incidents/open": operation({
    method: "post",
    summary: "Open an incident of a customer, also from findings; a repeated id opens one",
    input: z.object({
      id: z.uuid(),
      email: Email,
      title: line(limits.incidentTitleLengthMax, "Please give it a title"),
      severity: z.enum(knownSeverities),
      detected_at: ToldInstant.optional(),
      text: FreeText.optional(),
      findings: z.array(z.uuid()).max(100).optional(),
    }),
    answer: Message.extend({ incident_id: z.uuid(), number: z.string() }),
    status: 201,
  }),
  "admin/incidents/tell": operation({
    method: "post",
    summary:
      "Tell what happened in an incident, or correct what was told; a repeated fact_id tells it once. 409 where the state does not allow it",
    input: Tell,
    answer: Message,
  }),
  "admin/incidents/merge": operation({
    method: "post",
    summary: "Let an incident go on in another one of the same customer",
    input: ofFact.extend({
      into: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^I-\d{6,}$/, "Please enter a number like I-000123"),
    }),
    answer: Message,
  }),
  "admin/incidents/attach": attaches(),
  "admin/incidents/file": opensFile(),
  "admin/incidents/dossier": makesDossier(),
};
