import { inHttpSpan } from "../../tracing/http-call.ts";
import { readCancelled, readFound, readRegistered } from "./nic-answers.ts";
import type { InvoiceRegistrar } from "./registrar.ts";

export interface RegistrarSettings {
  /** The base of NIC's calls, such as https://api.example/einv/v1/govt/api; without a trailing slash. */
  url: string;
  /** Headers that the provider requires: its token, its keys. */
  headers: Record<string, string>;
}

const patienceMs = 20_000;

/**
 * NIC's e-invoice API, version 1.03, as providers (GSP) offer it over HTTPS: bodies are plain JSON; the provider signs
 * in to the portal and encrypts. https://einv-apisandbox.nic.in/version1.03/generate-irn.html
 * @param gstinNow the seller's current GSTIN, sent with each call
 */
export function nicRegistrar({ url, headers }: RegistrarSettings, gstinNow: () => string): InvoiceRegistrar {
  const ask = async (what: string, path: string, sent?: object) => {
    const method = sent ? "POST" : "GET";
    const call = { method, url: new URL(url), name: `e-invoice ${what}`, service: "irp" };
    const answer = await inHttpSpan(call, () =>
      fetch(`${url}${path}`, {
        method,
        headers: { ...headers, gstin: gstinNow(), accept: "application/json", "content-type": "application/json" },
        ...(sent && { body: JSON.stringify(sent) }),
        // A redirect could lead anywhere and would receive the credentials.
        redirect: "error",
        signal: AbortSignal.timeout(patienceMs),
      }),
    );
    // NIC sends refusals with status 200, some providers with 400, 404 or 422; all give the reason in the body.
    if (!answer.ok && ![400, 404, 422].includes(answer.status))
      throw new Error(`The portal answered ${what} with ${answer.status}`);
    return (await answer.json()) as unknown;
  };
  return {
    name: "nic",
    register: async (document) => readRegistered(await ask("register", "/Invoice", document)),
    async findByDocument({ type, number, day }) {
      const docdate = day.split("-").toReversed().join("/");
      const query = new URLSearchParams({ doctype: type, docnum: number, docdate });
      return readFound(await ask("find by document", `/Invoice/irnbydocdetails?${query}`));
    },
    findByIrn: async (irn) => readFound(await ask("find by IRN", `/Invoice/irn/${irn}`)),
    cancel: async (irn, code, remark) =>
      readCancelled(await ask("cancel", "/Invoice/Cancel", { Irn: irn, CnlRsn: code, CnlRem: remark })),
  };
}
