import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
import type { z } from "zod";
import { access, mayCall } from "../../contract/access.ts";
import { limits } from "../../contract/limits.ts";
import { placeOf } from "../../contract/operation.ts";
import { type Answer, type OperationName, operations } from "../../contract/operations.ts";
import { accountHandlers } from "../accounts/handlers.ts";
import { actionHandlers } from "../actions/handlers.ts";
import { announcementHandlers } from "../announcements/handlers.ts";
import { workFrom } from "../audit/origin.ts";
import { auditHandlers } from "../audit-log/handlers.ts";
import { answerFilter } from "./answer-filter.ts";
import { billingHandlers } from "../billing/handlers.ts";
import { mountDocs } from "./api-docs.ts";
import { authorise, type Bearer, readBearer } from "./authenticate.ts";
import type { Call, Handler, Handlers } from "../call.ts";
import { clientAddress } from "./client-address.ts";
import { articleHandlers } from "../content/article-handlers.ts";
import { contentHandlers } from "../content/handlers.ts";
import { obligationHandlers } from "../obligations/handlers.ts";
import { onboardingHandlers } from "../onboarding/handlers.ts";
import { contractHandlers } from "../contracts/handlers.ts";
import { decreaseHandlers } from "../decreases/handlers.ts";
import { dataRequestHandlers } from "../data-requests/handlers.ts";
import { dossierHandlers } from "../dossiers/handlers.ts";
import { Failure } from "../failures/failure.ts";
import { leadHandlers } from "../leads/handlers.ts";
import { lastOrganisationOf } from "./find-actor.ts";
import { heavyGateOf } from "./heavy-operations.ts";
import { asksForAll, jsonLines, streamList } from "./list-stream.ts";
import { noteUse } from "./note-use.ts";
import { noticeHandlers } from "../notices/handlers.ts";
import { orderHistoryHandlers } from "../order-history/handlers.ts";
import { orderHandlers } from "../orders/handlers.ts";
import { paletteHandlers } from "../palette/handlers.ts";
import { mountPayments } from "./gateway-callbacks.ts";
import { referenceGone } from "../failures/reference-gone.ts";
import { isOutage } from "../failures/outage.ts";
import { callInTurn, ownPages, sharesOf, uploadInTurn } from "../protection/in-turn.ts";
import { networkOf } from "../protection/limiter.ts";
import { peopleHandlers } from "../people/handlers.ts";
import { staffPeopleHandlers } from "../people/staff-handlers.ts";
import type { HeavyGate } from "../protection/gate.ts";
import { coverageHandlers } from "../coverage/handlers.ts";
import { engineHandlers } from "../engines/handlers.ts";
import { incidentHandlers } from "../incidents/handlers.ts";
import { fileHandlers } from "../files/handlers.ts";
import { mountFiles } from "./files.ts";
import { quoteHandlers } from "../quotes/handlers.ts";
import { rateHandlers } from "../rates/handlers.ts";
import { ledgerHandlers } from "../ledger/handlers.ts";
import { transferHandlers } from "../transfers/handlers.ts";
import { reconcileHandlers } from "../reconcile/handlers.ts";
import { eInvoiceHandlers } from "../e-invoices/handlers.ts";
import { refundHandlers } from "../refunds/handlers.ts";
import { reportHandlers } from "../reports/handlers.ts";
import { serviceReportHandlers } from "../service-reports/handlers.ts";
import { readSent } from "./request-body.ts";
import type { Services } from "../services.ts";
import { systemHandlers } from "../system/handlers.ts";
import { toolHandlers } from "../tools/handlers.ts";
import { fieldsOf, type TracedCall, traceEmptyAnswer, traceRefusal } from "./trace-refusal.ts";

/**
 * Exported for the test of all operations, which checks that extra fields in a handler's answer don't leave the server.
 */
export const handlers: Handlers = {
  ...accountHandlers,
  ...quoteHandlers,
  ...rateHandlers,
  ...orderHandlers,
  ...billingHandlers,
  ...orderHistoryHandlers,
  ...refundHandlers,
  ...eInvoiceHandlers,
  ...contractHandlers,
  ...decreaseHandlers,
  ...reconcileHandlers,
  ...ledgerHandlers,
  ...transferHandlers,
  ...fileHandlers,
  ...toolHandlers,
  ...engineHandlers,
  ...onboardingHandlers,
  ...obligationHandlers,
  ...coverageHandlers,
  ...incidentHandlers,
  ...dossierHandlers,
  ...peopleHandlers,
  ...staffPeopleHandlers,
  ...dataRequestHandlers,
  ...reportHandlers,
  ...serviceReportHandlers,
  ...contentHandlers,
  ...articleHandlers,
  ...leadHandlers,
  ...auditHandlers,
  ...actionHandlers,
  ...systemHandlers,
  ...noticeHandlers,
  ...announcementHandlers,
  ...paletteHandlers,
};

/** Mounts every operation of the contract under /api, with its access check and error answers. */
export function createApi(services: Services): Hono {
  const api = new Hono();
  for (const name of Object.keys(operations) as OperationName[]) mountOperation(api, services, name);
  refuseOtherMethods(api);
  mountPayments(api, services);
  mountFiles(api, services);
  if (services.env.apiDocs) mountDocs(api);
  api.all("*", () => {
    throw new Failure("not_found", "There is no such endpoint.");
  });
  api.onError((error, context) => answerFailure(services, error, context));
  return api;
}

/**
 * Runs an operation that visitors may call, for a page being rendered in this process.
 * @throws Failure like the endpoint itself
 */
export async function answerVisitor<Name extends OperationName>(
  services: Services,
  name: Name,
  input: unknown,
): Promise<Answer<Name>> {
  if (!mayCall(name, null)) throw new Failure("forbidden", "A page is rendered for everyone: it asks what anyone may.");
  const parsed = operations[name].input.safeParse(input);
  if (!parsed.success) throw invalid(parsed.error);
  const handle = handlers[name] as Handler<OperationName>;
  const visitor = { ...(await authorise(services, name, null)), address: "", userAgent: "" };
  const answer = await services.gates.visitor(ownPages, () => handle(services, visitor, parsed.data));
  return answerFilter(operations[name].answer).parse(answer) as Answer<Name>;
}

function mountOperation(api: Hono, services: Services, name: OperationName): void {
  const declared = operations[name];
  api.on(declared.method.toUpperCase(), routeOf(name), async (context) => {
    context.set("operation", name);
    const isWhole = asksForAll(context, declared);
    const ask = openCall(services, name, context, isWhole);
    const answer = await ask(isWhole ? { cursor: undefined } : {});
    context.header("Cache-Control", "no-store");
    if (!isWhole) {
      // As bytes: a string would be concatenated with the headers, one more copy.
      const bytes = Buffer.from(JSON.stringify(answer));
      return context.body(bytes, declared.status, { "Content-Type": "application/json" });
    }
    context.header("Content-Type", jsonLines);
    const askNext = (cursor: string) =>
      ask({ cursor }).catch((error: unknown) => {
        services.log.warn({ err: error, operation: name }, "a list broke off");
        // The code that writes the response prints this error as it is, so it must not contain the cause, which may
        // hold personal data.
        throw new Error("A list broke off");
      });
    return context.body(streamList(answer, askNext));
  });
}

/** The operation's path as a route. */
const routeOf = (name: OperationName) => `/${placeOf(operations[name].method, name).replace(/\{(\w+)\}/g, ":$1")}`;

function refuseOtherMethods(api: Hono): void {
  for (const [path, names] of Map.groupBy(Object.keys(operations) as OperationName[], routeOf)) {
    const methods = names.map((name) => operations[name].method.toUpperCase()).join(" and ");
    api.all(path, () => {
      throw new Failure("not_found", `This endpoint takes ${methods} requests only.`);
    });
  }
}

/**
 * Handles one request. Its answer may be read page by page: `over` replaces input fields, and the caller is authorised
 * for each page, so that the end of the session also ends a long answer.
 */
function openCall(services: Services, name: OperationName, context: Context, isWhole: boolean) {
  const declared = operations[name];
  const handle = handlers[name] as Handler<OperationName>;
  const authorization = context.req.header("authorization");
  const address = clientAddress(context, services.env.trustProxy);
  const userAgent = (context.req.header("user-agent") ?? "").slice(0, 300);
  const traced: TracedCall = { operation: name, address, hasToken: authorization !== undefined, actor: null };
  let reading: Promise<unknown> | null = null;
  const answerTo = async (bearer: Bearer, over: object): Promise<object> => {
    // Read once for all pages: a body without Content-Length can't be read again.
    const sent = await (reading ??= readSent(context, declared));
    const given = isWhole ? { ...fieldsOf(sent), ...over } : sent;
    const enter = gateFor(services, name, bearer, address);
    const prepare = async () => {
      const caller = await authorise(services, name, bearer);
      traced.actor = caller.actor;
      const parsed = declared.input.safeParse(given);
      if (!parsed.success) throw invalid(parsed.error);
      traced.input = parsed.data;
      const input = isWhole ? { export: "jsonl", ...parsed.data, limit: limits.streamedRows } : parsed.data;
      return { call: { ...caller, address, userAgent }, input: input as typeof parsed.data };
    };
    const answerWith = async (within: Services, { call, input }: Awaited<ReturnType<typeof prepare>>) => {
      const answer = await handle(within, call, input);
      traceEmptyAnswer(services, traced, call.scope);
      await noteUse(services, { operation: name, scope: call.scope, input, answer });
      return answer;
    };
    // Heavy reads are checked like any other call, and then wait at their own gate, which other calls don't pass.
    const heavyGate = heavyGateOf(name, given, isWhole);
    const answer = await workFrom(address, async () =>
      heavyGate
        ? await readHeavily(services, heavyGate, context.req.raw.signal, answerWith, await enter(prepare))
        : await enter(async () => answerWith(services, await prepare())),
    );
    // Parsed again on the way out: only what the contract lists leaves the server.
    return answerFilter(declared.answer).parse(answer) as object;
  };
  return async (over: object): Promise<object> => {
    try {
      const bearer = await readBearer(services, name, authorization);
      if (declared.bodyBytesMax === undefined) return await answerTo(bearer, over);
      // A file is large: check the caller's rights before reading it, and limit concurrent uploads.
      traced.actor = (await authorise(services, name, bearer)).actor;
      return await uploadInTurn(services.gates, { actor: traced.actor, address }, () => answerTo(bearer, over));
    } catch (thrown) {
      traceRefusal(services, traced, thrown);
      throw thrown;
    }
  };
}

/**
 * Runs a heavy read, which is cancelled when the caller disconnects. @throws Failure in that case, which reaches nobody
 */
async function readHeavily<Prepared extends { call: Call }, Result>(
  services: Services,
  gate: HeavyGate,
  signal: AbortSignal,
  answerWith: (within: Services, prepared: Prepared) => Promise<Result>,
  prepared: Prepared,
): Promise<Result> {
  const within = { ...services, database: services.heavyReads.until(signal, "anywhere") };
  try {
    const shares = sharesOf(prepared.call.actor, prepared.call.address);
    return await services.gates[gate](shares, () => answerWith(within, prepared));
  } catch (error) {
    throw signal.aborted ? new Failure("malformed", "The caller left before the answer was there.") : error;
  }
}

/** Chooses the gate: sign-ins first, then staff, then customers and partners, then visitors. */
function gateFor({ gates }: Services, name: OperationName, bearer: Bearer, address: string) {
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const from = { network: networkOf(address) };
    if (name.startsWith("auth/") && access[name].callers === "public") return gates.signIn(from, work);
    if (!bearer || !("sessionId" in bearer)) return gates.visitor(from, work);
    const organisationId = lastOrganisationOf(bearer.personId) ?? bearer.personId;
    return callInTurn(gates, { ...bearer, organisationId }, work);
  };
}

function invalid(error: z.ZodError): Failure {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join(".")] ??= issue.message;
  return new Failure("invalid", Object.values(fields)[0] ?? "Some fields are not right.", { fields });
}

/** Turns what was thrown into an answer: the one place that does. */
export function answerFailure(services: Services, thrown: Error, context: Context): Response {
  const failure =
    thrown instanceof Failure ? thrown : (referenceGone(thrown) ?? internalFailure(services, thrown, context));
  if (failure.code === "unauthenticated") context.header("WWW-Authenticate", "Bearer");
  if (failure.retryAfterSeconds !== undefined) context.header("Retry-After", String(failure.retryAfterSeconds));
  context.header("Cache-Control", "no-store");
  return context.json(failure.body, failure.status);
}

function internalFailure(services: Services, thrown: Error, context: Context): Failure {
  // The route as it was declared: an address may hold a token or somebody's e-mail.
  const path = routePath(context);
  if (isOutage(thrown)) {
    services.tellOutage(thrown, path);
    return new Failure("overloaded", "The service is busy. Please try again in a moment.", { retryAfterSeconds: 2 });
  }
  services.log.error({ err: thrown, path }, "request failed");
  return new Failure("internal", "Something went wrong on our side. Please try again; we have been told.");
}
