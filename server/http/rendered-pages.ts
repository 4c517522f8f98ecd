import { createRequestHandler, type RouterContext, RouterContextProvider, type ServerBuild } from "react-router";
import type { OperationName } from "../../contract/operations.ts";
import { shownTexts, type SiteTexts } from "../../contract/shown-texts.ts";
import { nextPublication } from "../content/posts.ts";
import { Failure } from "../failures/failure.ts";
import { isOutage } from "../failures/outage.ts";
import { answerVisitor } from "./api.ts";
import { compressed, etagOf, type KeptAnswer } from "./kept-answer.ts";
import type { MadePage } from "./kept-pages.ts";
import { contentSecurityPolicy, standardHeaders } from "./security-headers.ts";
import type { Services } from "../services.ts";

/**
 * Renders the page of an address as any visitor gets it: nothing of a request but its address comes in. With `texts` it is
 * the page as it would be if these were the site's.
 */
export type Render = (address: string, texts?: SiteTexts) => Promise<MadePage>;

export function openRenderer(build: ServerBuild, services: Services): Render {
  const handle = createRequestHandler(build, "production");
  // app/server-api.ts: how a loader asks the API without leaving the process, and which texts a page shows.
  const { serverApi, siteTexts } = build.entry.module as unknown as Record<"serverApi" | "siteTexts", RouterContext>;
  return async (address, texts) => {
    const asking = askAsVisitor(services);
    const context = new RouterContextProvider();
    context.set(serverApi, asking.ask);
    context.set(siteTexts, texts ?? (await asking.texts()));
    // The address is the public one, whatever a proxy made of it: pages name themselves by it.
    const headers = { "X-Site-Address": services.publicUrl };
    const page = await handle(new Request(services.publicUrl + address, { headers }), context);
    const missing = asking.missing();
    if (missing !== null) tellOfMissing(services, missing, address);
    const answer = await keepAnswer(services, page, missing === null);
    return { answer, isWhole: missing === null, validUntil: (await asking.next()) ?? null };
  };
}

/** How one page asks the API. Afterwards it says what could not be had, and when the content changes by the calendar. */
function askAsVisitor(services: Services) {
  const startedAt = services.now();
  let missing: unknown = null;
  let next: Promise<Date | null> | null = null;
  const ask = async (name: OperationName, input: unknown) => {
    next ??= services.gates.visitor(() => nextPublication(services, startedAt));
    try {
      const [answer] = await Promise.all([answerVisitor(services, name, input), next]);
      return answer;
    } catch (error) {
      if (!isAnswer(error)) missing = error;
      throw error;
    }
  };
  let isPassing = false;
  /** Those that were known last where the database says nothing: the page stands, and is made anew for whoever asks next. */
  const texts = () =>
    services.siteTexts.current().catch(() => {
      isPassing = true;
      return shownTexts;
    });
  const until = async () => (isPassing ? startedAt : missing === null ? next : null);
  return { ask, texts, missing: () => missing, next: until };
}

/** Whether it stays the same however often it is asked for. */
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
  // Whatever the page makes of what it lacks, nobody is to keep it for what stands there.
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
    // A rendered page holds nothing secret beside what its address says, so that its length tells nothing.
    bytes: { identity, ...(identity ? await compressed(identity) : { br: null, gzip: null }) },
  };
}
