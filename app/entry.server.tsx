import { createHash, randomUUID } from "node:crypto";
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { showTexts, type SiteTexts } from "../contract/shown-texts.ts";
import { addressMark } from "../contract/site-address.ts";
import { hydrateLater, startOf } from "./hydrate-later.ts";
import { ScriptNonce } from "./script-nonce.ts";
import { siteTexts } from "./server-api.ts";

export { serverApi, siteTexts } from "./server-api.ts";

/** Renders a page. Its `X-Script-Hashes` header lists the inline scripts for the Content-Security-Policy to allow. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loaded: Readonly<RouterContextProvider>,
): Promise<Response> {
  // Marks our own scripts and can't be guessed: a script injected by the content lacks it, and is not allowed to run.
  const mark = randomUUID();
  let failed = false;
  const body = await drawWith(loaded.get(siteTexts), () =>
    renderToReadableStream(
      <ScriptNonce value={mark}>
        <ServerRouter context={context} url={request.url} nonce={mark} />
      </ScriptNonce>,
      {
        nonce: mark,
        onError() {
          failed = true;
        },
      },
    ),
  );
  await body.allReady;
  // Prerendered pages keep a mark in place of the site's address, which is not known then: the server replaces it.
  const siteAddress = request.headers.get("x-site-address") ?? addressMark;
  const rendered = (await new Response(body).text()).replaceAll(addressMark, siteAddress);
  const page = hydrateLater(rendered, startOf(context.staticHandlerContext.matches), mark);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("X-Script-Hashes", hashesOfMarked(page, mark).join(" "));
  return new Response(page.replaceAll(` nonce="${mark}"`, ""), { status: failed ? 500 : status, headers });
}

let drawing: Promise<unknown> = Promise.resolve();

/** Renders one page at a time: the shown texts are state of the whole process, and a preview has its own. */
function drawWith<Drawn>(texts: SiteTexts, draw: () => Promise<Drawn>): Promise<Drawn> {
  const drawn = drawing.then(() => {
    showTexts(texts);
    return draw();
  });
  drawing = drawn.catch(() => {});
  return drawn;
}

function hashesOfMarked(page: string, mark: string): string[] {
  const scripts = page.matchAll(new RegExp(`<script[^>]* nonce="${mark}"[^>]*>([\\s\\S]*?)</script>`, "g"));
  return Array.from(scripts, ([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`);
}
