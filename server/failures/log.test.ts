import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { customer, password, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { describeError, summariseError } from "./describe-error.ts";
import { openLog } from "./log.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** What all jobs say about their last failure. */
async function outputs(): Promise<string> {
  const { rows } = await server.services.database.execute<{ said: string }>(
    sql`select coalesce(string_agg(output::text, '\n'), '') as said from jobs.job where output is not null`,
  );
  return rows[0]?.said ?? "";
}

test("what fails is in the log and in the queue without codes, e-mails, secrets and other values", async () => {
  const { database } = server.services;
  const [person, other] = [await customer(server), registration()];
  const child = { firstName: "Ravi", lastName: "Nair", email: registration().email, phoneNo: "+919876543211" };
  await database.execute(sql`alter table mails rename to mails_elsewhere`);
  const answers = [
    await server.call("auth/login", { email: person.email, password }),
    await server.call("auth/register", other),
    await server.call("user/create-child-user", child, person.token),
    await server.call("contact", {
      userName: "Asha Rao",
      userEmail: other.email,
      phone: "9876543210",
      organization: "Kaveri Textiles",
      organizationSize: 120,
      message: "Please call in the morning.",
    }),
  ];
  expect(answers.map(({ status }) => status).filter((status) => status < 500)).toEqual([]);
  await server.call("auth/forgot-password", { email: person.email });
  await expect.poll(outputs).toContain("Failed query");
  await database.execute(sql`alter table mails_elsewhere rename to mails`);

  // When a value does not fit its column, PostgreSQL repeats it in the message.
  await database.execute(sql`alter table sign_in_codes alter column code_hash type int4 using 0`);
  expect((await server.call("auth/login", { email: person.email, password })).status).toBe(500);

  const said = `${server.log.join("")}${await outputs()}`;
  for (const { email } of [person, other, child]) expect(said).not.toContain(email.split("@")[0]);
  expect(said).not.toMatch(/params: (?!…)|\$argon2|example\.in|Kaveri|9876543210|\bey[\w-]+\.ey/);
  // Six digits are a sign-in code, forty characters the secret of a link; times and ids have other forms.
  expect(said.replace(/"time":"[^"]*"/g, "").match(/(?<![\w.:-])\d{6}(?![\w.:-])/g)).toBeNull();
  expect(said.match(/(?<![\w/.-])[\w-]{40,}(?![\w/.-])/g)).toBeNull();
  expect(said).toContain('insert into \\"mails\\"');
  expect(said).toContain('"code":"42P01"');
});

test("of an error of PostgreSQL the log keeps where it happened, and not what with", () => {
  const cause = {
    message: 'duplicate key value violates unique constraint "people_email_unique"',
    code: "23505",
    table: "people",
    constraint: "people_email_unique",
    routine: "_bt_check_unique",
    detail: "Key (email)=(asha@example.in) already exists.",
    where: "asha@example.in",
    parameters: ["482915"],
  };
  const query = 'insert into "people" values ($1)';
  const message = `Failed query: ${query}\nparams: asha@example.in,482915`;
  const failure = Object.assign(new Error(message), { query, params: ["asha@example.in", "482915"], cause });
  const described = describeError(failure);
  const { code, table, constraint, routine } = cause;
  expect(described).toMatchObject({
    message: "Failed query",
    statement: query,
    cause: { message: cause.message, code, table, constraint, routine },
  });
  expect(described.stack).toMatch(/^ +at /);
  // The job queue passes errors on as plain objects.
  const copy = { message, query, cause, stack: failure.stack };
  for (const said of [described, describeError(copy)]) expect(JSON.stringify(said)).not.toMatch(/asha|482915/);
});

test.each<[unknown, string]>([
  [
    Object.assign(new Error('invalid input syntax for type uuid: "a "quoted"\nsecret"'), { code: "22P02" }),
    'invalid input syntax for type uuid: "…"',
  ],
  [new Error("550 5.1.1 <asha.rao+x@kaveri.example>: Recipient refused"), "550 5.1.1 <[e-mail]>: Recipient refused"],
  [new Error(`No link ${"aB3_".repeat(11)} here`), "No link [secret] here"],
  [new Error("Bad token eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJlIG9mIGl0"), "Bad token [token]"],
  ["thrown by ravi@example.in", "thrown by [e-mail]"],
  [null, "null"],
  [
    new Error("Order 019aa7c8-3e1b-7c54-a5f2-1f5be8a7a9c1 is not open"),
    "Order 019aa7c8-3e1b-7c54-a5f2-1f5be8a7a9c1 is not open",
  ],
])("of %s the log says %j", (error, message) => {
  expect(describeError(error).message).toBe(message);
});

test("what another server said with characters that cannot be kept is kept without them, in a text and in the queue", async () => {
  const said = summariseError(new Error("450 4.7.1\ttry\0\u001b later\r\nor \ud800 never, 😀"));
  expect(said).toBe("450 4.7.1\ttry   later \nor   never, 😀");
  const kept = JSON.stringify({ message: said });
  const { rows } = await server.services.database.execute(sql`select ${said}::text as text, ${kept}::jsonb as output`);
  expect(rows).toEqual([{ text: said, output: { message: said } }]);
});

test("secrets that are logged by their names are not written", () => {
  const lines: string[] = [];
  const log = openLog({ logLevel: "info" }, { write: (line) => void lines.push(line) });
  log.info({ password, form: { otp: "482915" }, headers: { authorization: "Bearer x" } });
  log.error({ err: new Error("for asha@example.in") });
  log.error(new Error("for asha@example.in"));
  expect(lines.join("")).not.toMatch(/horse|482915|Bearer|asha/);
});
