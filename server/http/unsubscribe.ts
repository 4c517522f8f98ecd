import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { mailKinds } from "../../contract/mail-kinds.ts";
import { workFrom } from "../audit/origin.ts";
import { stopMails } from "../mail/choices.ts";
import { readUnsubscribeToken } from "../mail/unsubscribe.ts";
import type { Services } from "../services.ts";
import { clientAddress } from "./client-address.ts";
import { standAlonePage } from "./stand-alone-page.ts";

/**
 * The signed address in a mail by which its kind is turned off, signed in or not. Mail programs post to it (RFC 8058); a
 * person who follows it presses a button first, as what checks mail for viruses follows every link.
 */
export function mountUnsubscribe(server: Hono, services: Services): void {
  const path = "/unsubscribe/:token";
  const read = (context: Context) => readUnsubscribeToken(services.env.tokenSecret, context.req.param("token") ?? "");
  server.get(path, (context) => {
    const asked = read(context);
    if (!asked) return refuse(context);
    const { name, about } = mailKinds[asked.kind];
    return standAlonePage(context, {
      title: "Stop these mails",
      formAction: "'self'",
      body: html`<h1>Stop these mails?</h1>
        <div class="sheet">
          <h2>${name}</h2>
          <p>${about}</p>
          <form method="post">
            <button class="primary" type="submit">Stop these mails</button>
          </form>
        </div>
        <p class="muted">Signed in, you choose under Account Settings which mails you get.</p>`,
    });
  });
  server.post(path, async (context) => {
    const asked = read(context);
    if (!asked) return refuse(context);
    await workFrom(clientAddress(context, services.env.trustProxy), () =>
      stopMails(services, asked.personId, asked.kind),
    );
    return standAlonePage(context, {
      title: "These mails are stopped",
      body: html`<h1>These mails are stopped</h1>
        <p>
          You will not get “${mailKinds[asked.kind].name}” by mail any more. Signed in, you turn them on again under
          Account Settings.
        </p>`,
    });
  });
}

const refuse = (context: Context) =>
  standAlonePage(context, {
    title: "This link is not complete",
    status: 404,
    body: html`<h1>This link is not complete</h1>
      <p>Please open it again from the mail, or choose your mails under Account Settings.</p>`,
  });
