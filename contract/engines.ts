import { z } from "zod";
import { engineKindNames, engineKinds, engineProblems, engineStreamNames } from "./engine-kinds.ts";
import { Email, emptyAsNull, Instant, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

/** An address that software calls: http or https, with only host, port and path. */
const EngineAddress = z
  .string("Please enter the address")
  .trim()
  .max(limits.toolUrlLengthMax, `Please use at most ${limits.toolUrlLengthMax} characters`)
  .refine(isBareAddress, "Please enter an address like https://host:port, without user name, ? and #")
  .transform((address) => address.replace(/\/+$/, ""));

function isBareAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === "");
}

const Secret = z
  .string()
  .max(limits.engineSecretLengthMax, `Please use at most ${limits.engineSecretLengthMax} characters`)
  .regex(/^\P{Cc}+$/u, "Please remove line breaks from the secret");
const Certificate = z
  .string()
  .trim()
  .max(limits.engineCertificateLengthMax, `Please use at most ${limits.engineCertificateLengthMax} characters`)
  .regex(
    /^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----$/,
    "Please paste a certificate in PEM, from -----BEGIN to END-----",
  );
const name = line(limits.engineNameLengthMax);

const Fields = z.object({
  /** The e-mail of anybody at the customer. */
  email: Email,
  kind: z.enum(engineKindNames, "Please choose the engine"),
  address: EngineAddress,
  indexerAddress: emptyAsNull(EngineAddress),
  tenantKey: emptyAsNull(name),
  username: emptyAsNull(name),
  /** If a change omits it, the stored secret stays, unless the address changes. */
  secret: emptyAsNull(Secret),
  /** Where the indexer has its own login. */
  indexerUsername: emptyAsNull(name),
  indexerSecret: emptyAsNull(Secret),
  /** PEM of the only authority that vouches for the engine; if omitted, the server's system certificates apply. */
  caCertificate: emptyAsNull(Certificate),
  /** Address of the engine's web interface, which links lead to. The server never calls it. */
  dashboardAddress: emptyAsNull(EngineAddress),
  /** Whether the customer's people see these links too; our own staff always do. */
  opensToCustomer: z.boolean().default(false),
  /** The binding to change; without it, a new one. */
  id: z.uuid().optional(),
  /** The version that was read; 409 when somebody has changed it meanwhile. */
  version: z.number().int().min(1).optional(),
});

export const BindingInput = Fields.superRefine((given, context) => {
  for (const [path, message] of faultsOf(given)) context.addIssue({ code: "custom", path: [path], message });
});
export type BindingInput = z.output<typeof BindingInput>;

function faultsOf(given: z.output<typeof Fields>): [keyof z.output<typeof Fields>, string][] {
  const { indexer, tenant, signsInBy, name, pages } = engineKinds[given.kind];
  const isNew = given.id === undefined;
  return [
    ...(tenant.required && !given.tenantKey
      ? [["tenantKey", `Please say which customer it is in ${name}`] as const]
      : []),
    ...(signsInBy === "password" && !given.username ? [["username", "Please enter the user name"] as const] : []),
    ...(isNew && !given.secret
      ? [["secret", signsInBy === "key" ? "Please enter the API key" : "Please enter the password"] as const]
      : []),
    ...(!indexer && given.indexerAddress ? [["indexerAddress", `${name} has no indexer`] as const] : []),
    ...(pages === null && given.dashboardAddress
      ? [["dashboardAddress", `No page of ${name} is known to lead to`] as const]
      : []),
    ...(isNew && given.indexerUsername && !given.indexerSecret
      ? [["indexerSecret", "Please enter the indexer's password"] as const]
      : []),
    ...(!isNew && given.version === undefined ? [["version", "Please send the version that was seen"] as const] : []),
  ].map(([path, message]) => [path, message]);
}

const Problem = z.enum(engineProblems);

export const EngineBinding = z.object({
  id: z.uuid(),
  version: z.number().int(),
  kind: z.enum(engineKindNames),
  address: z.string(),
  indexerAddress: z.string().nullable(),
  tenantKey: z.string().nullable(),
  username: z.string().nullable(),
  indexerUsername: z.string().nullable(),
  caCertificate: z.string().nullable(),
  dashboardAddress: z.string().nullable(),
  opensToCustomer: z.boolean(),
  /** new: not polled yet. failing: at least one of its streams does not answer. */
  state: z.enum(["new", "ok", "failing"]),
  engineVersion: z.string().nullable(),
  /** How far the engine's clock is ahead of ours. */
  skewSeconds: z.number().int().nullable(),
  /** Number of devices that it reports. */
  devices: z.number().int(),
  streams: z.array(
    z.object({
      stream: z.enum(engineStreamNames),
      lastAnswerAt: Instant.nullable(),
      /** Null while it answers. */
      failingSince: Instant.nullable(),
      problem: Problem.nullable(),
      /** What is wrong, and what to do. */
      sentence: z.string().nullable(),
      /** Records of the last answer that could not be read. */
      unreadable: z.number().int(),
    }),
  ),
});
export type EngineBinding = z.infer<typeof EngineBinding>;

/** A row in the list of all customers' engines. */
export const BoundEngine = z.object({
  id: z.uuid(),
  organization_name: z.string(),
  /** E-mail of the customer's first person; empty where there is nobody. */
  email: z.string(),
  kind: z.enum(engineKindNames),
  address: z.string(),
  /** 0 after three failures in a row, otherwise 1. */
  rank: z.number().int(),
  /** Null while it answers. */
  failing_since: Instant.nullable(),
  /** What is wrong, and what to do. */
  sentence: z.string().nullable(),
  last_answer_at: Instant.nullable(),
  engine_version: z.string().nullable(),
});
export type BoundEngine = z.infer<typeof BoundEngine>;

export const engineList = listOf(BoundEngine, {
  sorts: ["organization_name", "rank"],
  named: {},
  searched: ["organization_name", "address"],
});
export type EngineSort = SortOf<typeof engineList>;
export type EngineQuery = ListQuery<EngineSort>;

const TestResult = z.object({
  /** Whether it can be polled with these settings. */
  ok: z.boolean(),
  message: z.string(),
  problem: Problem.nullable(),
  engineVersion: z.string().nullable(),
  skewSeconds: z.number().int().nullable(),
});
export type TestResult = z.infer<typeof TestResult>;

export const engineOperations = {
  "admin/engines": operation({
    method: "get",
    summary: "The engines of a customer, with what each said last; no secret leaves the server",
    input: z.object({ email: Email }),
    answer: z.object({ engines: z.array(EngineBinding) }),
  }),
  "admin/engines/all": operation({
    method: "get",
    summary: `The engines of every customer, those that fail first. ${engineList.summary}`,
    input: engineList.query,
    answer: z.object({ engines: z.array(BoundEngine), ...listPage }),
  }),
  "admin/engines/post": operation({
    method: "post",
    summary: "Bind an engine to a customer, or change a binding; 409 when `version` is no longer current",
    input: BindingInput,
    answer: Message.extend({ id: z.uuid() }),
  }),
  "admin/engines/test": operation({
    method: "post",
    summary: "Ask an engine who it is, by a binding as it is typed: says in words what is wrong",
    input: BindingInput,
    answer: TestResult,
  }),
  "admin/engines/remove": operation({
    method: "post",
    summary: "Remove a binding with its credentials; what it told stays. 409 when `version` is no longer current",
    input: z.object({ id: z.uuid(), version: z.number().int().min(1) }),
    answer: Message,
  }),
};
