import { createHash, randomUUID } from "node:crypto";
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";
import { hydrateLater, startOf } from "./hydrate-later.ts";

export { serverApi } from "./server-api.ts";

/** Renders a page. `X-Script-Hashes` of the answer names the inline scripts it may run, for its Content-Security-Policy. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  // What stands on our own scripts, and can't be guessed: one that got into a page by its content is not allowed to run.
  const mark = randomUUID();
  let failed = false;
  const body = await renderToReadableStream(<ServerRouter context={context} url={request.url} nonce={mark} />, {
    nonce: mark,
    onError() {
      failed = true;
    },
  });
  await body.allReady;
  const rendered = showSchemeFirst(await new Response(body).text(), mark);
  const page = hydrateLater(rendered, startOf(context.staticHandlerContext.matches), mark);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("X-Script-Hashes", hashesOfMarked(page, mark).join(" "));
  return new Response(page.replaceAll(` nonce="${mark}"`, ""), { status: failed ? 500 : status, headers });
}

/** Before the first paint: the components' style sheets read the scheme from this attribute. */
function showSchemeFirst(page: string, mark: string): string {
  return page.replace("</head>", `<script nonce="${mark}">${showScheme}</script></head>`);
}

const showScheme = `document.documentElement.dataset.mantineColorScheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"`;

function hashesOfMarked(page: string, mark: string): string[] {
  const scripts = page.matchAll(new RegExp(`<script[^>]* nonce="${mark}"[^>]*>([\\s\\S]*?)</script>`, "g"));
  return Array.from(scripts, ([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`);
}
