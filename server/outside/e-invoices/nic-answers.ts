import { z } from "zod";
import { indiaZone } from "../../../contract/india-time.ts";
import type { CancelAnswer, Reason, RegisterAnswer, Registration } from "./registrar.ts";

/**
 * Answers in NIC's shape: Status 1 with Data, or 0 with ErrorDetails. Providers differ in how they wrap it: Data as an object,
 * as JSON in a string, or its fields beside Success "Y"; codes with or without capitals. All of these are read.
 */
const Scalar = z.union([z.string(), z.number()]).transform(String);

const Problem = z
  .looseObject({})
  .transform((fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [plain(name), value])))
  .pipe(z.object({ errorcode: Scalar.default(""), errormessage: Scalar.default("") }))
  .transform(({ errorcode: code, errormessage: text }): Reason => ({ code: code.trim(), text: text.trim() }));

const plain = (name: string) => name.toLowerCase().replaceAll("_", "");

/** Portals say nothing as null, as an empty text, or not at all. */
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

/** In India's time, without saying so: 2026-11-22 14:05:09. */
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

/** @throws when the answer says neither what was done nor why not */
function read<Of>(body: unknown, shape: z.ZodType<Of>): Read<Of> {
  const envelope = Envelope.parse(body);
  const isDone = envelope.Success ? envelope.Success.toUpperCase() === "Y" : envelope.Status === "1";
  if (isDone) return { data: shape.parse(envelope.Data ?? envelope) };
  const refused = envelope.ErrorDetails ?? [];
  if (refused.length === 0) throw new Error("The portal's answer says neither success nor why not");
  return { refused, envelope };
}

/** Codes of a portal that can't do it now, or does not let us in: nothing is wrong with the document. */
const notNow = new Set(["1004", "1005", "1006", "1007", "1010", "2146", "2147", "5001", "5002", "5003"]);

function throwIfNotNow(reasons: Reason[]): void {
  const found = reasons.find(({ code }) => notNow.has(code));
  if (found) throw new Error(`The portal could not do it now: ${found.code} ${found.text}`);
}

/** The one that the portal calls a duplicate, and the one of another portal. */
const duplicates = new Set(["2150", "2295"]);

export function readRegistered(body: unknown): RegisterAnswer {
  const answer = read(body, Given);
  if ("data" in answer) return { registered: registrationOf(answer.data) };
  throwIfNotNow(answer.refused);
  if (answer.refused.some(({ code }) => duplicates.has(code))) return { duplicateOf: duplicateIn(answer.envelope) };
  return { refused: answer.refused };
}

/** A duplicate is told in InfoDtls: { InfCd: "DUPIRN", Desc: { Irn, AckNo, AckDt } }. */
function duplicateIn({ InfoDtls }: Envelope): string | null {
  const told = Array.isArray(InfoDtls) ? (InfoDtls as { InfCd?: string; Desc?: unknown }[]) : [];
  const found = told.find(({ InfCd }) => InfCd === "DUPIRN");
  const { data } = z.object({ Irn }).safeParse(found?.Desc);
  return data?.Irn.toLowerCase() ?? null;
}

/** Codes of a document that is not known, not told any more, or another's. */
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
