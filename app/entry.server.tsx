import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";
import { addressMark } from "../contract/site-address.ts";
import { hydrateLater, startOf } from "./hydrate-later.ts";
import { ScriptNonce } from "./script-nonce.ts";

export { serverApi } from "./server-api.ts";

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = request.headers.get("x-script-nonce") ?? undefined;
  let failed = false;
  const body = await renderToReadableStream(
    <ScriptNonce value={nonce}>
      <ServerRouter context={context} url={request.url} nonce={nonce ?? ""} />
    </ScriptNonce>,
    {
      ...(nonce && { nonce }),
      onError() {
        failed = true;
      },
    },
  );
  await body.allReady;
  const page = await new Response(body).text();
  // A page that is built ahead is served from an address that is not known yet: the server puts it in.
  const addressed = nonce ? page.replaceAll(addressMark, new URL(request.url).origin) : page;
  headers.set("Content-Type", "text/html; charset=utf-8");
  const start = startOf(context.staticHandlerContext.matches);
  return new Response(hydrateLater(addressed, start, nonce), { status: failed ? 500 : status, headers });
}
