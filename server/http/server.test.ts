import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { readText } from "./request-body.ts";
import { listen, type Listener } from "./server.ts";

const largeBytes = 64 * 1024 * 1024;
const application = new Hono();
application.get("/quick", (context) => context.text("here"));
application.post("/body", async (context) => context.text(await readText(context)));
application.post("/refused", (context) => context.text("no", 413));
application.get("/large", (context) => context.body(new Uint8Array(largeBytes)));
application.onError((_error, context) => context.body(null, 400));

let listener: Listener;
beforeAll(async () => {
  listener = await listen("127.0.0.1", 0, {
    headersMs: 400,
    requestMs: 800,
    slowBytesPerSecond: 10_000,
    largeRequestMs: 6000,
    stillMs: 1200,
    keepAliveMs: 400,
    lookEveryMs: 50,
  });
  listener.serve(application);
});
afterAll(() => listener.close(0));

const post = "POST /body HTTP/1.1\r\nHost: prahari\r\nContent-Type: application/json\r\n";
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: prahari\r\n`;

it.each([
  ["a body that stops half-way", `${post}Content-Length: 100\r\n\r\n{`, ""],
  ["a body that trickles in", `${post}Content-Length: 10000\r\n\r\n{`, "a"],
  ["a body of unknown length that trickles in", `${post}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"],
  ["a body that was asked for and does not come", `${post}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n`, ""],
  ["headers that trickle in", get("/quick"), "X-More: more\r\n"],
  ["nothing at all", "", ""],
])("answers 408 to %s, and hangs up", async (_case, start, more) => {
  const { said, closed } = await speak(start, more);
  await closed;
  expect(said()).toMatch(/HTTP\/1\.1 408 Request Timeout\r\n/);
});

// Sending after the response resets the connection, on a busy machine before the response was read.
it("waits for a large body as long as its line needs, and no longer", { retry: 2 }, async () => {
  const sent = { length: 30_000, more: "a".repeat(1500) };
  const inTime = await speak(`${post}Content-Length: ${sent.length}\r\n\r\n`, sent.more);
  await expect.poll(inTime.said, { timeout: 5000 }).toMatch(/^HTTP\/1\.1 200/);
  const { said, closed } = await speak(`${post}Content-Length: ${sent.length}\r\n\r\n`, "a");
  await closed;
  expect(said()).toMatch(/HTTP\/1\.1 408 Request Timeout\r\n/);
});

it("hangs up on a body whose answer is out, without another one", async () => {
  const refused = post.replace("/body", "/refused");
  const { said, closed } = await speak(`${refused}Content-Length: 10000\r\n\r\n{`, "a");
  await closed;
  expect(said().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
});

it("hangs up on a caller who does not read the answer", async () => {
  const { socket, received, closed } = await speak(`${get("/large")}\r\n`, "");
  socket.pause();
  await sleep(5000);
  socket.resume();
  await closed;
  expect(received()).toBeLessThan(largeBytes);
});

it("answers others while hundreds hold back their bodies, and gets rid of all of those", async () => {
  const slow = await Promise.all(Array.from({ length: 300 }, () => speak(`${post}Content-Length: 1000\r\n\r\n{`, "a")));
  const answer = await fetch(`http://127.0.0.1:${listener.port}/quick`);
  expect(await answer.text()).toBe("here");
  await Promise.all(slow.map(({ closed }) => closed));
  expect(new Set(slow.map(({ said }) => said().split("\r\n")[0]))).toEqual(new Set(["HTTP/1.1 408 Request Timeout"]));
});

/** Sends `start`, then `more` again and again, on a connection of its own. */
async function speak(start: string, more: string) {
  const socket = connect(listener.port, "127.0.0.1");
  await once(socket, "connect");
  let said = "";
  let received = 0;
  socket.on("data", (bytes) => {
    received += bytes.length;
    if (said.length < 1000) said += bytes.toString("latin1");
  });
  // The server may hang up while this still sends.
  socket.on("error", () => {});
  const speaking = setInterval(() => socket.writable && socket.write(more), 100);
  const closed = new Promise<void>((done) => socket.once("close", () => done()));
  void closed.then(() => clearInterval(speaking));
  onTestFinished(() => void socket.destroy());
  socket.write(start);
  return { socket, said: () => said, received: () => received, closed };
}

it.each(["127.0.0.1", "127.0.0.2", "::1", "localhost", "0.0.0.0", "::"])(
  "reaches itself where it listens on %s",
  async (host) => {
    const own = await listen(host, 0);
    onTestFinished(() => own.close(0));
    own.serve(application);
    expect(await (await fetch(`${own.internalUrl}/quick`)).text()).toBe("here");
  },
);
