import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { isOutage } from "./outage.ts";

const lead = {
  userName: "Asha Rao",
  userEmail: "asha@example.in",
  phone: "9876543210",
  organization: "Kaveri Textiles",
  organizationSize: 120,
  message: "Please call me about ten servers.",
};

describe("A request that fails", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ work: false });
    await server.services.database.$client.query(`
      create table failing (code text);
      create function fail() returns trigger language plpgsql as $$ begin
        raise exception 'made to fail' using errcode = (select code from failing);
      end $$;
      create trigger fail before insert on leads for each row execute function fail();`);
  });
  afterAll(() => server.stop());

  const contact = async (code: string) => {
    await server.services.database.$client.query(
      `delete from rate_limits; delete from failing; insert into failing values ('${code}')`,
    );
    return server.call("contact", lead);
  };

  it.each([
    ["the disk of the database is full", "53100"],
    ["the memory of the database is used up", "53200"],
    ["the database can't read its disk", "58030"],
    ["a statement took too long", "57014"],
    ["a lock was not to be had", "55P03"],
    ["of two transactions one had to give way", "40P01"],
    ["of two transactions one came too late", "40001"],
    ["the database was ended", "57P01"],
    ["the database only reads", "25006"],
  ])("because %s is answered 503 and when to come again", async (_case, code) => {
    const { status, headers, body } = await contact(code);
    expect({ status, code: body.code, retryAfter: headers.get("retry-after") }).toEqual({
      status: 503,
      code: "overloaded",
      retryAfter: "2",
    });
    expect(JSON.stringify(body)).not.toContain("made to fail");
  });

  it.each(["22012", "42P01", "XX000"])("by our own fault (%s) is answered 500", async (code) => {
    expect((await contact(code)).status).toBe(500);
  });

  it("in an outage, again and again, is logged in one line, without what was sent", async () => {
    server.log.length = 0;
    for (let again = 0; again < 5; again++) expect((await contact("53400")).status).toBe(503);
    const told = server.log.filter((line) => line.includes('"msg":"outage"'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0] ?? "")).toMatchObject({ code: "53400", where: "/api/contact", level: 50 });
    expect(server.log.join("")).not.toContain(lead.userEmail);
  });
});

describe("An outage", () => {
  const coded = (code: string, message = "") => Object.assign(new Error(message), { code });

  it.each([
    ["deep among the causes", new Error("Failed query", { cause: new Error("more", { cause: coded("53100") }) })],
    ["at both addresses of a name", new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")])],
    ["of the disk for files", new Error("Cannot write file", { cause: coded("ENOSPC") })],
    ["of file handles", coded("EMFILE", "too many open files")],
    ["of the store for files", Object.assign(new Error("SlowDown"), { $metadata: { httpStatusCode: 503 } })],
    [
      "of a store for files that hangs",
      new Error("Cannot write file", {
        cause: new Error("@smithy/node-http-handler - the request socket timed out after 5500 ms of inactivity"),
      }),
    ],
    ["of the payment gateway", new TypeError("fetch failed", { cause: coded("UND_ERR_CONNECT_TIMEOUT") })],
    ["that pg tells without a code", new Error("Connection terminated unexpectedly")],
    [
      "as the job queue tells it",
      { message: "The database does not answer (Queue: sweep, Worker: 1)", queue: "sweep" },
    ],
  ])("is known %s", (_case, error) => {
    expect(isOutage(error)).toBe(true);
  });

  it.each([
    ["a file that is absent", coded("ENOENT")],
    ["a row that is there already", coded("23505")],
    ["a mistake of ours", new TypeError("Cannot read properties of undefined")],
    [
      "an object that is not in the store",
      Object.assign(new Error("NoSuchKey"), { $metadata: { httpStatusCode: 404 } }),
    ],
    ["nothing", undefined],
  ])("is not %s", (_case, error) => {
    expect(isOutage(error)).toBe(false);
  });
});
