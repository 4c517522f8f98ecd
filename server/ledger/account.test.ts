import { afterAll, beforeAll, expect, it } from "vitest";
import { sellerIs } from "../../tests/billing.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { readPdf } from "../../tests/read-pdf.ts";
import { today } from "../../tests/transfers.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());

it("A statement of account has the company's CIN at the foot of its pages, and none while there is none", async () => {
  const { token } = await member(server, "user");
  const period = { from: today(server), to: today(server), format: "pdf" } as const;
  const readStatement = async () => {
    const { content } = (await server.call("user/statement", period, token)).body;
    return (await readPdf(Buffer.from(content, "base64"))).text;
  };
  expect(await readStatement()).not.toContain("CIN");
  await sellerIs(server, { cin: "U72900KA2020PTC123456" });
  expect(await readStatement()).toContain("CIN U72900KA2020PTC123456");
});
