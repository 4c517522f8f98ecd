import { afterAll, beforeAll, expect, it } from "vitest";
import { showTexts } from "../../contract/shown-texts.ts";
import { shippedTexts } from "../../contract/site-texts.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { member } from "../../tests/people.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ pages: true, work: false });
});
afterAll(async () => {
  await server.stop();
  showTexts({});
});

const page = async (path: string) => (await fetch(server.url + path)).text();

/** From then on no notification is heard, while the database still answers. */
async function stopListening(): Promise<void> {
  const { watch, database } = server.services;
  watch.stop();
  const listening = async () => {
    const listeners = await database.$client.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'prahari-watch'",
    );
    return listeners.rowCount;
  };
  await expect.poll(listening).toBe(0);
}

it("While the listening connection is lost, each page shows what was saved, and what is shipped again once that is restored", async () => {
  const admin = await member(server, "admin");
  const save = async (phone: string, version: number) => {
    const content = { ...shippedTexts.brand, phones: [phone] };
    const saved = await server.send("admin/settings/save", { section: "brand", content, version }, admin.token);
    expect(saved.status).toBe(200);
  };
  expect(await page("/contact")).not.toContain('id="site-texts"');
  await stopListening();
  await save("+91 22 5550 0199", 0);
  expect(await page("/contact")).toContain("+91 22 5550 0199");
  await save("+91 22 5550 0188", 1);
  const pages = await Promise.all(["/contact", "/", "/about", "/contact"].map(page));
  expect(pages.map((each) => each.includes("+91 22 5550 0188"))).toEqual([true, true, true, true]);
  const restore = { section: "brand", version: 2, to: 0 };
  expect((await server.send("admin/settings/restore", restore, admin.token)).status).toBe(200);
  expect(await page("/contact")).not.toContain("+91 22 5550 0188");
});
