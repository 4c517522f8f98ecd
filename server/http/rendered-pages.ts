import { createRequestHandler, type RouterContext, RouterContextProvider, type ServerBuild } from "react-router";
import type { OperationName } from "../../contract/operations.ts";
import { shownTexts, type SiteTexts } from "../../contract/shown-texts.ts";
import { nextPublication } from "../content/posts.ts";
import { Failure } from "../failures/failure.ts";
import { isOutage } from "../failures/outage.ts";
import { ownPages } from "../protection/in-turn.ts";
import { answerVisitor } from "./api.ts";
import { compressed, etagOf, type KeptAnswer } from "./kept-answer.ts";
import type { MadePage } from "./kept-pages.ts";
import { contentSecurityPolicy, standardHeaders } from "./security-headers.ts";
import type { Services } from "../services.ts";

/**
 * Renders the page of an address as every visitor gets it: nothing of a request but its address is used. With `texts`,
 * the page as it would be with these site texts.
 */
export type Render = (address: string, texts?: SiteTexts) => Promise<MadePage>;

export function openRenderer(build: ServerBuild, services: Services): Render {
  const handle = createRequestHandler(build, "production");
  // app/server-api.ts: how a loader calls the API within the process, and which texts a page shows.
  const { serverApi, siteTexts } = build.entry.module as unknown as Record<"serverApi" | "siteTexts", RouterContext>;
  return async (address, texts) => {
    const asking = askAsVisitor(services);
    const context = new RouterContextProvider();
    context.set(serverApi, asking.ask);
    context.set(siteTexts, texts ?? (await asking.texts()));
    // Pages name themselves by the public address, whatever a proxy made of the request's.
    const headers = { "X-Site-Address": services.publicUrl };
    const page = await handle(new Request(services.publicUrl + address, { headers }), context);
    const missing = asking.missing();
    if (missing !== null) tellOfMissing(services, missing, address);
    const answer = await keepAnswer(services, page, missing === null);
    return { answer, isWhole: missing === null, validUntil: (await asking.next()) ?? null };
  };
}

/**
 * How one page calls the API. Afterwards `missing` is what failed, and `next` when the content changes by the calendar.
 */
function askAsVisitor(services: Services) {
  const startedAt = services.now();
  let missing: unknown = null;
  let next: Promise<Date | null> | null = null;
  const ask = async (name: OperationName, input: unknown) => {
    next ??= services.gates.visitor(ownPages, () => nextPublication(services, startedAt));
    try {
      const [answer] = await Promise.all([answerVisitor(services, name, input), next]);
      return answer;
    } catch (error) {
      if (!isAnswer(error)) missing = error;
      throw error;
    }
  };
  let isPassing = false;
  /**
   * The last known texts if the database does not answer: the page is shown, but rendered again for the next request.
   */
  const texts = () =>
    services.siteTexts.current().catch(() => {
      isPassing = true;
      return shownTexts;
    });
  const until = async () => (isPassing ? startedAt : missing === null ? next : null);
  return { ask, texts, missing: () => missing, next: until };
}

/** Whether the failure is a lasting answer, not an outage. */
const isAnswer = (error: unknown) =>
  error instanceof Failure && ["not_found", "invalid", "forbidden"].includes(error.code);

function tellOfMissing(services: Services, missing: unknown, address: string): void {
  const [path = ""] = address.split("?");
  if (isOutage(missing)) services.tellOutage(missing, path);
  else if (!(missing instanceof Failure)) services.log.error({ err: missing, path }, "a page lacks what it asked for");
}

async function keepAnswer(services: Services, page: Response, isWhole: boolean): Promise<KeptAnswer> {
  const identity = page.body ? new Uint8Array(await page.arrayBuffer()) : null;
  const isDocument = page.headers.get("Content-Type")?.startsWith("text/html") === true;
  // An incomplete page gets status 503 so that nobody caches or indexes it.
  const lacks = !isWhole && isDocument && (page.status < 300 || page.status >= 400);
  const status = lacks ? 503 : page.status;
  const etag = identity && status === 200 ? etagOf(identity) : null;
  const { "x-script-hashes": hashes, "cache-control": cacheControl, ...headers } = Object.fromEntries(page.headers);
  const ofSuccess = cacheControl ?? "public, max-age=0, must-revalidate";
  return {
    status,
    etag,
    headers: {
      ...headers,
      ...standardHeaders(services, "/"),
      "Content-Security-Policy": contentSecurityPolicy(services, hashes?.split(" ")),
      "Cache-Control": status === 200 && isWhole ? ofSuccess : "no-store",
      ...(identity && { Vary: "Accept-Encoding" }),
      ...(etag && { ETag: etag }),
      ...(lacks && { "Retry-After": "2" }),
    },
    // Compression is safe: a rendered page contains nothing secret that its length could reveal.
    bytes: { identity, ...(identity ? await compressed(identity) : { br: null, gzip: null }) },
  };
}
