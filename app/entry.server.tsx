import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";
import { ScriptNonce } from "./script-nonce.ts";

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
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(body, { status: failed ? 500 : status, headers });
}
