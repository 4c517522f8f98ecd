import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { password, registration, signIn } from "../factories.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { surroundings } from "./running-product.ts";

let server: TestServer;
let dataDir: string;
beforeAll(async () => {
  server = await startTestServer();
  dataDir = mkdtempSync(join(tmpdir(), "prahari-admin-"));
  // Readable by the user that PostgreSQL runs as when this runs as root: its data then stay in here.
  chmodSync(dataDir, 0o755);
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Outcome {
  code: number;
  said: string;
}

function command(options: Record<string, string>, env: Record<string, string>): Promise<Outcome> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const node = join("node_modules", ".bin", "node");
  const clean = { ...surroundings, DATA_DIR: dataDir, ...env };
  return new Promise((done) => {
    const child = execFile(node, ["build/product/admin-create.js", ...args], { env: clean }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}`.trim() }),
    );
    child.stdin?.end();
  });
}

const person = () => ({ email: registration().email, "first-name": "Meera", "last-name": "Pillai" });

test("the command makes an administrator who can sign in while the product runs", async () => {
  const admin = person();
  const outcome = await command(
    { ...admin, email: admin.email.toUpperCase() },
    { DATABASE_URL: server.databaseUrl, ADMIN_PASSWORD: password },
  );
  expect(outcome).toEqual({ code: 0, said: `Meera Pillai (${admin.email}) can now sign in as an administrator.` });
  const { body } = await server.call("user/me", {}, await signIn(server, admin.email));
  expect(body.user).toMatchObject({ role: "admin", organizationName: "Prahari Managed Security Private Limited" });

  const again = await command(admin, { DATABASE_URL: server.databaseUrl, ADMIN_PASSWORD: password });
  expect(again).toEqual({ code: 1, said: `There is already an account with the e-mail address ${admin.email}.` });
  const second = await command(person(), { DATABASE_URL: server.databaseUrl, ADMIN_PASSWORD: password });
  expect(second.code).toBe(0);
  const { rows } = await server.services.database.$client.query("select 1 from organisations where kind = 'provider'");
  expect(rows).toHaveLength(1);
});

test("a registration or an invitation with this e-mail, which nobody has proved, does not keep it from making one", async () => {
  const registered = registration();
  const { email, firstName, lastName, phoneNo } = registered;
  expect((await server.call("auth/register", registered)).status).toBe(201);
  const first = person();
  const env = { DATABASE_URL: server.databaseUrl, ADMIN_PASSWORD: password };
  expect((await command(first, env)).code).toBe(0);
  const child = { firstName, lastName, email, phoneNo };
  const invited = await server.call("admin/createChildUserByAdmin", child, await signIn(server, first.email));
  expect(invited.status).toBe(201);
  const named = { email, "first-name": "Meera", "last-name": "Pillai" };
  const outcome = await command(named, { ...env, ADMIN_PASSWORD: "seven blue tables 77" });
  expect(outcome).toEqual({ code: 0, said: `Meera Pillai (${email}) can now sign in as an administrator.` });
  const { body } = await server.call("user/me", {}, await signIn(server, email, "seven blue tables 77"));
  expect(body.user).toMatchObject({ role: "admin", firstName: "Meera" });
  const { rows } = await server.services.database.$client.query("select 1 from people where email = $1", [email]);
  expect(rows).toHaveLength(1);
});

test("it finds the database of the copy that runs with the same data folder", async () => {
  writeFileSync(join(dataDir, "postgres-url"), server.databaseUrl);
  const admin = person();
  expect((await command(admin, { ADMIN_PASSWORD: password })).code).toBe(0);
  expect(await signIn(server, admin.email)).toMatch(/^ey/);
  rmSync(join(dataDir, "postgres-url"));
});

test("without a database and without a running copy it starts the embedded one, and stops it again", async () => {
  writeFileSync(join(dataDir, "postgres-url"), "postgres://prahari:x@127.0.0.1:1/prahari");
  const first = await command(person(), { ADMIN_PASSWORD: password });
  expect(first.said).toContain(`There was no database in ${dataDir}: one was made there.`);
  const second = await command(person(), { ADMIN_PASSWORD: password });
  expect([first.code, second.code, second.said]).toEqual([0, 0, expect.not.stringContaining("no database")]);
  const left = ["postgres-url", "prahari.pid", "postgres/postmaster.pid"];
  expect(left.filter((name) => existsSync(join(dataDir, name)))).toEqual([]);
});

test.each([
  [{ email: "" }, {}, /^Please give the e-mail address and both names\. Usage: npm run admin:create/],
  [{ role: "user" }, {}, /^Unknown option '--role'\. Usage:/],
  [{}, { ADMIN_PASSWORD: "Welcome@12345" }, /^This password is among the first that are guessed/],
  [{}, { ADMIN_PASSWORD: "password".repeat(6) }, /^This password is among the first that are guessed/],
  [{}, { ADMIN_PASSWORD: "" }, /^Please set ADMIN_PASSWORD, or run this on a terminal/],
  [
    {},
    { DATABASE_URL: "postgres://x:y@127.0.0.1:1/z" },
    /^The database can't be reached: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
  ],
])("with %j and %j it says in one sentence what is wrong", async (options, env, sentence) => {
  const outcome = await command(
    { ...person(), ...options },
    { DATABASE_URL: server.databaseUrl, ADMIN_PASSWORD: password, ...env },
  );
  expect(outcome.code).toBe(1);
  expect(outcome.said).toMatch(sentence);
});
