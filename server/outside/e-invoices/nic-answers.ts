import { z } from "zod";
import { indiaZone } from "../../../contract/india-time.ts";
import type { CancelAnswer, Reason, RegisterAnswer, Registration } from "./registrar.ts";

/**
 * Answers in NIC's format: Status 1 with Data, or 0 with ErrorDetails. Providers wrap it differently: Data as an
 * object, as JSON in a string, or as fields beside Success "Y"; codes with or without capitals. All of these are
 * accepted.
 */
const Scalar = z.union([z.string(), z.number()]).transform(String);

const Problem = z
  .looseObject({})
  .transform((fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [plain(name), value])))
  .pipe(z.object({ errorcode: Scalar.default(""), errormessage: Scalar.default("") }))
  .transform(({ errorcode: code, errormessage: text }): Reason => ({ code: code.trim(), text: text.trim() }));

const plain = (name: string) => name.toLowerCase().replaceAll("_", "");

/** Portals leave a value out as null, as an empty text, or by omitting the field. */
const fromJson = z.preprocess(
  (value) => (typeof value === "string" ? (value.trim() === "" ? null : (JSON.parse(value) as unknown)) : value),
  z.looseObject({}).nullish(),
);

const Envelope = z.looseObject({
  Status: Scalar.optional(),
  Success: z.string().optional(),
  Data: fromJson,
  ErrorDetails: z.array(Problem).nullish(),
  InfoDtls: z
    .union([z.array(z.looseObject({ InfCd: z.string().optional(), Desc: z.unknown() })), z.unknown()])
    .optional(),
});
type Envelope = z.infer<typeof Envelope>;

/** A time in India without a zone: 2026-11-22 14:05:09. */
const PortalTime = z.string().transform((written, context) => {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)/.exec(written.trim());
  const instant = new Date(`${found?.[1]}T${found?.[2]}+05:30`);
  if (Number.isNaN(instant.getTime())) context.addIssue({ code: "custom", message: `no time of ${indiaZone}` });
  return instant;
});

const Irn = z.string().regex(/^[0-9a-f]{64}$/i);

const Given = z.looseObject({
  Irn,
  AckNo: Scalar,
  AckDt: PortalTime,
  SignedInvoice: z.string().default(""),
  SignedQRCode: z.string().min(1),
  Status: z.string().default("ACT"),
});

const Cancelled = z.looseObject({ Irn, CancelDate: PortalTime });

type Read<Of> = { data: Of } | { refused: Reason[]; envelope: Envelope };

/** @throws when the answer is neither a success nor a refusal with reasons */
function read<Of>(body: unknown, shape: z.ZodType<Of>): Read<Of> {
  const envelope = Envelope.parse(body);
  const isDone = envelope.Success ? envelope.Success.toUpperCase() === "Y" : envelope.Status === "1";
  if (isDone) return { data: shape.parse(envelope.Data ?? envelope) };
  const refused = envelope.ErrorDetails ?? [];
  if (refused.length === 0) throw new Error("The portal's answer says neither success nor why not");
  return { refused, envelope };
}

/** Codes for a portal that is unavailable or rejects our login: the document itself is fine. */
const notNow = new Set(["1004", "1005", "1006", "1007", "1010", "2146", "2147", "5001", "5002", "5003"]);

function throwIfNotNow(reasons: Reason[]): void {
  const found = reasons.find(({ code }) => notNow.has(code));
  if (found) throw new Error(`The portal could not do it now: ${found.code} ${found.text}`);
}

/** Codes for a duplicate on this portal and on another. */
const duplicates = new Set(["2150", "2295"]);

export function readRegistered(body: unknown): RegisterAnswer {
  const answer = read(body, Given);
  if ("data" in answer) return { registered: registrationOf(answer.data) };
  throwIfNotNow(answer.refused);
  if (answer.refused.some(({ code }) => duplicates.has(code))) return { duplicateOf: duplicateIn(answer.envelope) };
  return { refused: answer.refused };
}

/** The IRN of the duplicate, from InfoDtls: { InfCd: "DUPIRN", Desc: { Irn, AckNo, AckDt } }. */
function duplicateIn({ InfoDtls }: Envelope): string | null {
  const told = Array.isArray(InfoDtls) ? (InfoDtls as { InfCd?: string; Desc?: unknown }[]) : [];
  const found = told.find(({ InfCd }) => InfCd === "DUPIRN");
  const { data } = z.object({ Irn }).safeParse(found?.Desc);
  return data?.Irn.toLowerCase() ?? null;
}

/** Codes for a document that is unknown, no longer available, or another seller's. */
const notFound = new Set(["2143", "2148", "2154", "2283", "3001"]);

export function readFound(body: unknown): Registration | null {
  const answer = read(body, Given);
  if ("data" in answer) return registrationOf(answer.data);
  if (answer.refused.some(({ code }) => notFound.has(code))) return null;
  throw new Error(`The portal does not tell: ${answer.refused.map(({ code, text }) => `${code} ${text}`).join(", ")}`);
}

export function readCancelled(body: unknown): CancelAnswer {
  const answer = read(body, Cancelled);
  if ("data" in answer) return { cancelledAt: answer.data.CancelDate };
  throwIfNotNow(answer.refused);
  return { refused: answer.refused };
}

const registrationOf = (given: z.infer<typeof Given>): Registration => ({
  irn: given.Irn.toLowerCase(),
  ackNumber: given.AckNo,
  ackAt: given.AckDt,
  signedQr: given.SignedQRCode,
  signedInvoice: given.SignedInvoice,
  isCancelled: given.Status === "CNL",
});
