import type { PaymentForm } from "../contract/orders.ts";

export type SandboxOutcome = "success" | "failure" | "pending" | "cancel";

/**
 * Does at the sandbox gateway what a visitor does in the browser. Answers the form that it would post back, without
 * posting it.
 */
export async function settleAtSandbox({ action, fields }: PaymentForm, outcome: SandboxOutcome): Promise<PaymentForm> {
  const page = await post(action, fields);
  if (page.status !== 200) throw new Error(`The sandbox refused the form: ${await page.text()}`);
  const settled = await (await post(new URL("/sandbox/payu/outcome", action).href, { ...fields, outcome })).text();
  const target = /<form[^>]* action="([^"]+)"/.exec(settled)?.[1];
  if (!target) throw new Error(`The sandbox did not settle: ${settled}`);
  const hidden = [...settled.matchAll(/name="([^"]+)"\s+value="([^"]*)"/g)];
  return {
    action: unescapeHtml(target),
    fields: Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, unescapeHtml(value)])),
  };
}

/** Posts a form as a browser does on its way back from another site, without following the redirect. */
export function post(address: string, fields: Record<string, string>): Promise<Response> {
  return fetch(address, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

/** The text that a browser shows for the characters that our HTML escapes. */
export function unescapeHtml(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
