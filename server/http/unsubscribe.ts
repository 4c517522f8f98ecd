import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { mailKinds } from "../../contract/mail-kinds.ts";
import { areaOf } from "../../contract/roles.ts";
import { workFrom } from "../audit/origin.ts";
import { readMailChoice, stopMails } from "../mail/choices.ts";
import { readUnsubscribeToken, type Unsubscribing } from "../mail/unsubscribe.ts";
import type { Services } from "../services.ts";
import { answerFailure } from "./api.ts";
import { clientAddress } from "./client-address.ts";
import { standAlonePage } from "./stand-alone-page.ts";

/**
 * Serves the signed address in a mail that turns its kind off, signed in or not. Mail programs post to it (RFC 8058);
 * people who follow the link must press a button first, because virus scanners follow every link.
 */
export function mountUnsubscribe(server: Hono, services: Services): void {
  const path = "/unsubscribe/:token";
  const answered = (answer: (context: Context, asked: Unsubscribing) => Promise<Response>) => (context: Context) => {
    const asked = readUnsubscribeToken(services.env.tokenSecret, context.req.param("token") ?? "");
    if (!asked) return refuse(context);
    return answer(context, asked).catch((error: Error) => tellFailure(services, error, context));
  };
  server.get(
    path,
    answered(async (context, asked) => {
      const choice = await readMailChoice(services, asked.personId, asked.kind);
      const settings = choice ? settingsOf(choice) : "/login";
      return choice?.isOff ? tellStopped(context, asked, settings) : ask(context, asked, settings);
    }),
  );
  server.post(
    path,
    answered(async (context, asked) => {
      await workFrom(clientAddress(context, services.env.trustProxy), () =>
        stopMails(services, asked.personId, asked.kind),
      );
      const choice = await readMailChoice(services, asked.personId, asked.kind);
      return tellStopped(context, asked, choice ? settingsOf(choice) : "/login");
    }),
  );
}

type MailChoiceOf = NonNullable<Awaited<ReturnType<typeof readMailChoice>>>;
const settingsOf = ({ role }: MailChoiceOf) => `/${areaOf(role)}/account-settings?show=mails`;

function ask(context: Context, { kind }: Unsubscribing, settings: string) {
  const { name, about } = mailKinds[kind];
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
      <p class="muted">Signed in, you choose under <a href="${settings}">Account Settings</a> which mails you get.</p>`,
  });
}

const tellStopped = (context: Context, { kind }: Unsubscribing, settings: string) =>
  standAlonePage(context, {
    title: "These mails are stopped",
    body: html`<h1>These mails are stopped</h1>
      <p>
        You will not get &ldquo;${mailKinds[kind].name}&rdquo; by mail any more. Signed in, you turn them on again under
        <a href="${settings}">Account Settings</a>.
      </p>`,
  });

const refuse = (context: Context) =>
  standAlonePage(context, {
    title: "This link is not complete",
    status: 404,
    body: html`<h1>This link is not complete</h1>
      <p>
        Please open it again from the mail, or <a href="/login">sign in</a> and choose your mails under Account
        Settings.
      </p>`,
  });

/** Logs the failure as usual and explains it to a person who followed the link; mail programs go by the status. */
function tellFailure(services: Services, error: Error, context: Context) {
  const { status } = answerFailure(services, error, context);
  return standAlonePage(context, {
    title: "This did not work",
    status: status === 503 ? 503 : 500,
    body: html`<h1>This did not work just now</h1>
      <p>Your mails are as they were. Please open the link from the mail again in a minute.</p>`,
  });
}
