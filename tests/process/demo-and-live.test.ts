import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoPassword } from "../../server/accounts/demo-password.ts";
import { type Mailbox, startMailbox } from "../harness.ts";
import { clientOf } from "./product-client.ts";
import { freePort } from "../../server/database/postmaster.ts";
import { makeDataDir, startProduct, startRefused } from "./running-product.ts";

const dataDir = makeDataDir();
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(async () => {
  await mailbox.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it("The published accounts of a demo work in demo mode only, and the console says so", async () => {
  const live = {
    DATA_DIR: dataDir,
    DEMO: "0",
    ALLOW_SANDBOX: "1",
    SMTP_URL: mailbox.url,
    MAIL_FROM: "Prahari <soc@prahari.example>",
  };
  const administrator = { email: "meera@demo.example", password: demoPassword };
  const signInStatus = async (url: string) => (await clientOf(url, mailbox).call("auth/login", administrator)).status;

  const demo = await startProduct({ DATA_DIR: dataDir });
  expect(await signInStatus(demo.url)).toBe(200);
  expect(await demo.end("SIGTERM")).toBe(0);
  expect((statSync(join(dataDir, "files")).mode & 0o777).toString(8)).toBe("700");

  const closed = await startProduct(live);
  expect(closed.said()).toContain("The 23 accounts of the demo can't sign in any more; a start with DEMO=1");
  expect(await signInStatus(closed.url)).toBe(401);
  expect((await fetch(`${closed.url}/dev/mail`)).status).toBe(404);
  expect(await closed.end("SIGTERM")).toBe(0);

  // A start without npm serves the same pages.
  const again = await startProduct({ DATA_DIR: dataDir }, ["node_modules/.bin/node", "server/main.ts"]);
  expect(await signInStatus(again.url)).toBe(200);
  expect((await fetch(`${again.url}/blog`)).status).toBe(200);
  expect(await again.end("SIGTERM")).toBe(0);
});

it.each<[string, Record<string, string>, RegExp]>([
  [
    "open to the network",
    { HOST: "0.0.0.0" },
    /^Demo mode listens on this machine only, and HOST is 0\.0\.0\.0\. .*\n$/,
  ],
  ["that takes real money", { PAYU_KEY: "key", PAYU_SALT: "salt" }, /^Demo mode takes no real money\. .*\n$/],
])("A demo %s does not start, and says why in one line", async (_what, settings, line) => {
  const refused = await startRefused({ DATA_DIR: dataDir, PORT: String(await freePort()), ...settings });
  expect(refused).toEqual({ code: 1, said: expect.stringMatching(line) });
});
