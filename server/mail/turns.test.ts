import { expect, it, onTestFinished } from "vitest";
import { password, registration } from "../../tests/factories.ts";
import { startTestServer } from "../../tests/harness.ts";
import { queueMails } from "./outbox.ts";

it("A sign-in code goes out before an announcement to hundreds of people that waits already", async () => {
  const server = await startTestServer({ work: false });
  onTestFinished(server.stop);
  const { services, mailbox } = server;
  const content = { template: "announcement", title: "Maintenance", text: "On Sunday.", link: server.url } as const;
  const announced = Array.from({ length: 400 }, (_, index) => ({
    eventKey: `announcement:${index}`,
    to: `${index}@example.in`,
    personId: null,
    content,
  }));
  await services.database.transaction((transaction) => queueMails(services, transaction, announced));
  const person = registration();
  await server.call("auth/register", person);
  await server.call("auth/login", { email: person.email, password });
  await services.work();
  await mailbox.take(person.email, /sign-in code/);
  await expect.poll(() => mailbox.mails.length).toBeGreaterThan(announced.length);
  // Two batches may have been taken before it came.
  const place = mailbox.mails.findIndex(({ subject = "" }) => /sign-in code/.test(subject));
  expect(place).toBeLessThan(50);
});
