import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quoteRequest, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { sendMailNow } from "../../tests/send-mail-now.ts";
import { mails, quotes } from "../database/schema/index.ts";
import { deliverProposal } from "./deliver-proposal.ts";

// Its job queues are not processed: each test does a worker's part itself.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

async function sent() {
  const request = quoteRequest();
  const { quoteId } = (await server.call("estimator", request)).body;
  const file = `proposal-${quoteId}.pdf`;
  const { database } = server.services;
  return {
    quoteId,
    file,
    email: request.userEmail,
    mails: () =>
      database
        .select()
        .from(mails)
        .where(eq(mails.eventKey, `proposal:${quoteId}`)),
    row: async () => (await database.select().from(quotes).where(eq(quotes.id, quoteId)))[0],
  };
}

it("A sent estimate waits for its proposal; delivered, file and mail are there together", async () => {
  const quote = await sent();
  expect([(await quote.row())?.proposalFile, (await quote.mails()).length]).toEqual([null, 0]);
  await deliverProposal(server.services, quote.quoteId);
  expect((await quote.row())?.proposalFile).toBe(quote.file);
  const { title } = await readPdf(await server.services.files.read(quote.file));
  expect(title).toMatch(/^Proposal Q-\d{6}$/);
  const [mail] = await quote.mails();
  expect(mail?.content).toMatchObject({ link: `${server.url}/user/myquote?search=${title.slice(-8)}` });
});

it("Two workers at once and one after them write one mail, and it arrives once", async () => {
  const quote = await sent();
  await Promise.all([deliverProposal(server.services, quote.quoteId), deliverProposal(server.services, quote.quoteId)]);
  await deliverProposal(server.services, quote.quoteId);
  const [mail, ...more] = await quote.mails();
  expect(more).toEqual([]);
  await sendMailNow(server.services, String(mail?.id));
  await sendMailNow(server.services, String(mail?.id));
  expect(server.mailbox.mails.filter(({ to }) => to?.[0]?.address === quote.email)).toHaveLength(1);
});

it("Killed between the file and the database, it does the whole again", async () => {
  const quote = await sent();
  await server.services.files.write(quote.file, Buffer.from("%PDF-1.7, half of it"));
  await deliverProposal(server.services, quote.quoteId);
  const [mail, ...more] = await quote.mails();
  expect(more).toEqual([]);
  await sendMailNow(server.services, String(mail?.id));
  const arrived = await server.mailbox.take(quote.email, /proposal/);
  const attached = arrived.attachments[0]?.content as ArrayBuffer;
  expect((await readPdf(new Uint8Array(attached))).title).toMatch(/^Proposal Q-/);
});

it("When the file can't be kept, nothing is claimed and nothing is mailed", async () => {
  const quote = await sent();
  const files = { ...server.services.files, write: () => Promise.reject(new Error("The disk is full")) };
  await expect(deliverProposal({ ...server.services, files }, quote.quoteId)).rejects.toThrow("The disk is full");
  expect([(await quote.row())?.proposalFile, (await quote.mails()).length]).toEqual([null, 0]);
});

it("A quote that is gone needs no proposal", async () => {
  await expect(deliverProposal(server.services, "019b0000-0000-7000-8000-000000000001")).resolves.toBeUndefined();
});

it("Whose address is corrected while it is rendered gets it there, and it says the new one", async () => {
  const [person, admin] = [await member(server, "user"), await member(server, "admin")];
  const { quoteId } = (await server.call("estimator", quoteRequest(), person.token)).body;
  const { email } = registration();
  const { database, documents, files } = server.services;
  const correct = async () => {
    await server.call("admin/people/correct-email", { id: person.id, email }, admin.token);
    const [mail] = await database.select().from(mails).where(eq(mails.recipient, email));
    const token = /#token=([\w-]+)/.exec(JSON.stringify(mail?.content))?.[1] ?? "";
    expect((await server.call("auth/confirm-email", { token })).status).toBe(200);
  };
  let corrected: Promise<void> | undefined;
  const slow: typeof documents.render = async (...document) => {
    const pdf = await documents.render(...document);
    await (corrected ??= correct());
    return pdf;
  };
  await deliverProposal({ ...server.services, documents: { ...documents, render: slow } }, quoteId);
  const mailed = await database
    .select()
    .from(mails)
    .where(eq(mails.eventKey, `proposal:${quoteId}`));
  expect(mailed.map(({ recipient }) => recipient)).toEqual([email]);
  const { text } = await readPdf(await files.read(`proposal-${quoteId}.pdf`));
  expect([text.includes(email), text.includes(person.email)]).toEqual([true, false]);
});
