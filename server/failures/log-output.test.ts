import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openLog, withoutWaiting } from "./log.ts";

const lines = 60_000;
/** Logs more than a pipe holds for its reader, and ends on SIGTERM as the product does. */
const writer = `
  import { openLog } from "./server/failures/log.ts";
  const log = openLog({ logLevel: "info" });
  for (let number = 0; number < ${lines}; number++) log.info({ number, padding: "x".repeat(80) }, "told");
  process.on("SIGTERM", () => process.exit(0));
  process.on("SIGUSR2", () => log.info("told again"));
  setInterval(() => console.error("goes on"), 100);
`;

function startWriter(output: "pipe" | number) {
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", writer], {
    stdio: ["ignore", output, "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("A reader of the log that stops holds up nothing, and reads how much it missed once it goes on", async () => {
  const child = startWriter("pipe");
  await once(child.stderr!, "data");
  let read = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (read += text));
  await once(child.stderr!, "data");
  child.kill("SIGUSR2");
  await expect.poll(() => read.endsWith('"msg":"told again"}\n')).toBe(true);
  const entries = read.split("\n").filter(Boolean);
  const told = entries.map((entry) => JSON.parse(entry) as { msg: string; lines?: number });
  const missed = told.find(({ msg }) => msg.includes("lost"))?.lines ?? 0;
  expect(missed).toBeGreaterThan(0);
  expect(told.filter(({ msg }) => msg === "told").length + missed).toBe(lines);
});

test("A reader that stops does not keep the process from its end", async () => {
  const child = startWriter("pipe");
  await once(child.stderr!, "data");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

// A device that is always full.
test.runIf(process.platform === "linux")(
  "A full disk behind the log ends nothing, and keeps nothing from its end",
  async () => {
    const full = openSync("/dev/full", "w");
    const child = startWriter(full);
    closeSync(full);
    await once(child.stderr!, "data");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);

test("Once a disk has room again the log goes on, on a line of its own, with the number of lines that were lost", async () => {
  let isFull = false;
  const taken: string[] = [];
  const disk = {
    writableLength: 0,
    on: () => {},
    write(text: string, done: (error?: Error | null) => void) {
      if (!isFull) taken.push(text);
      setImmediate(done, isFull ? new Error("ENOSPC: no space left on device, write") : null);
    },
  };
  const log = openLog({ logLevel: "info" }, withoutWaiting(disk));
  const tell = async (text: string) => {
    log.info(text);
    await new Promise((next) => setImmediate(next));
  };
  await tell("first");
  isFull = true;
  await tell("second");
  await tell("third");
  isFull = false;
  await tell("fourth");
  expect(
    taken
      .join("")
      .split("\n")
      .filter(Boolean)
      .map((entry) => JSON.parse(entry)),
  ).toMatchObject([{ msg: "first" }, { level: 40, lines: 2 }, { msg: "fourth" }]);
});
