import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";
import { tellOnCall } from "./tell-on-call.ts";

const key = randomBytes(24);
const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer = 503;
const pager = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    heard.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(answer, { location: "/elsewhere" }).end();
  });
});

let server: TestServer;
beforeAll(async () => {
  await new Promise<void>((ready) => pager.listen(0, "127.0.0.1", ready));
  const { port } = pager.address() as AddressInfo;
  // Its job queues are not processed: the test does a worker's part itself.
  server = await startTestServer({ work: false, env: { onCall: { url: `http://127.0.0.1:${port}/hook`, key } } });
});
afterAll(async () => {
  await server.stop();
  pager.close();
  pager.closeAllConnections();
});

it("A reported attack wakes our team once, signed, however often it is pressed and until it is taken", async () => {
  const main = await member(server, "user");
  const report = { id: randomUUID(), what: "Files are locked", since: "Since 09:00", call: "Asha, 98765 43210" };
  const press = (id: string) => server.call("user/under-attack/post", { ...report, id }, main.token);
  await Promise.all([press(report.id), press(report.id), press(randomUUID())]);
  const { rows } = await server.services.database.execute<{ id: string }>(
    sql`select data->>'incidentId' as id from jobs.job where name = 'tell-on-call'`,
  );
  expect(rows).toHaveLength(1);
  const id = rows[0]?.id ?? "";
  const room = async () => (await server.call("user/incidents/{id}", { id }, main.token)).body;

  await expect(tellOnCall(server.services, id)).rejects.toThrow("answered with 503");
  // Following the redirect would tell another host who is under attack.
  answer = 302;
  await expect(tellOnCall(server.services, id)).rejects.toThrow("fetch failed");
  expect(await room()).toMatchObject({ on_call: { told_at: null } });
  answer = 204;
  await tellOnCall(server.services, id);
  await tellOnCall(server.services, id);
  expect(heard).toHaveLength(3);
  expect((await room()).on_call?.told_at).toEqual(expect.any(String));

  const webhookId = heard[0]?.headers["webhook-id"];
  expect(webhookId).toContain(id);
  for (const { headers, body } of heard) {
    const signed = `${String(webhookId)}.${String(headers["webhook-timestamp"])}.${body}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    expect(headers["webhook-id"]).toBe(webhookId);
    const { number } = await room();
    expect(JSON.parse(body)).toMatchObject({ type: "incident.attack_reported", data: { number } });
    expect(body).not.toMatch(/locked|98765/);
  }

  // A second report of what is already a P1 wakes nobody; after the severity was lowered, a report does, under another
  // id.
  await press(randomUUID());
  await tellOnCall(server.services, id);
  expect(heard).toHaveLength(3);
  const lowered = { id, fact_id: randomUUID(), news: "severity" as const, severity: "P4" as const };
  await server.call("admin/incidents/tell", lowered, (await member(server, "admin")).token);
  await press(randomUUID());
  await tellOnCall(server.services, id);
  await tellOnCall(server.services, id);
  expect(heard).toHaveLength(4);
  expect(heard[3]?.headers["webhook-id"]).not.toBe(webhookId);
});
