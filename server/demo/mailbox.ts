import { count, desc, eq } from "drizzle-orm";
import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { z } from "zod";
import { brand } from "../../contract/brand.ts";
import { indiaZone } from "../../contract/india-time.ts";
import { demoMailbox } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { standAlonePage } from "../http/stand-alone-page.ts";

const pageSize = 25;
const Page = z.coerce.number().int().min(1).max(100_000).catch(1);
const time = new Intl.DateTimeFormat("en-IN", { timeZone: indiaZone, dateStyle: "medium", timeStyle: "medium" });

/** The mailbox at /dev/mail with outgoing mail; exists in demo mode only. */
export function mountDemoMailbox(server: Hono, services: Services): void {
  server.get("/dev/mail", async (context) => {
    const page = Page.parse(context.req.query("page"));
    // New mail appears on the first page.
    if (page === 1) context.header("Refresh", "5");
    return answer(context, await listPage(services, page));
  });
  server.get("/dev/mail/:id", async (context) => {
    const id = z.uuid().safeParse(context.req.param("id"));
    const [mail] = id.success
      ? await services.database.select().from(demoMailbox).where(eq(demoMailbox.id, id.data))
      : [];
    if (!mail) throw notFound("This mail");
    return answer(context, await mailPage(services, mail));
  });
}

async function listPage({ database }: Services, page: number) {
  const [total] = await database.select({ count: count() }).from(demoMailbox);
  const mails = await database
    .select()
    .from(demoMailbox)
    .orderBy(desc(demoMailbox.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const older = (total?.count ?? 0) > page * pageSize;
  return html`<h1>Demo mailbox</h1>
    <p class="muted">
      Demo mode sends no mail: what would go out lands here. This page does not exist outside demo mode. New mail shows
      up on the first page by itself.
    </p>
    ${
      mails.length === 0
        ? html`<p class="sheet">No mail yet. Send an estimate or sign in, and it will appear here.</p>`
        : html`<ul class="list">
            ${mails.map(
              ({ id, recipient, subject, text, createdAt }) =>
                html`<li class="sheet">
                  <a href="/dev/mail/${id}">${subject}</a> ${codeIn(text)}
                  <div class="muted">to ${recipient} &middot; ${time.format(createdAt)}</div>
                </li>`,
            )}
          </ul>`
    }
    <p>
      ${page > 1 ? html`<a href="/dev/mail?page=${page - 1}">Newer</a>` : ""}
      ${older ? html`<a href="/dev/mail?page=${page + 1}">Older</a>` : ""}
    </p>`;
}

async function mailPage({ files }: Services, mail: typeof demoMailbox.$inferSelect) {
  const attachments = await Promise.all(
    mail.attachments.map(async ({ file, shownAs }) => ({ shownAs, url: await files.signedUrl(file, shownAs) })),
  );
  return html`<p><a href="/dev/mail">All mail</a></p>
    <h1>${mail.subject}</h1>
    <p class="muted">to ${mail.recipient} &middot; ${time.format(mail.createdAt)}</p>
    ${attachments.map(({ shownAs, url }) => html`<p class="sheet">Attached: <a href="${url}">${shownAs}</a></p>`)}
    <iframe
      title="The mail as its receiver sees it"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcdoc="${linksOutside(mail.html)}"
    ></iframe>
    <h2>As plain text</h2>
    <pre class="sheet">${mail.text}</pre>`;
}

/** The sandboxed frame may not show our pages, so links in the mail open in a new tab. */
const linksOutside = (mail: string) => mail.replace("<head>", '<head><base target="_blank" />');

function codeIn(text: string) {
  const code = /^\s+(\d{6})$/m.exec(text)?.[1];
  return code ? html`<code aria-label="Sign-in code">${code}</code>` : "";
}

function answer(context: Context, body: ReturnType<typeof html>) {
  return standAlonePage(context, {
    title: `Demo mailbox – ${brand.name}`,
    body,
  });
}
