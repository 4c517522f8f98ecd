import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeDataDir, othersMayEnter, startProduct } from "./running-product.ts";

const isRoot = process.getuid?.() === 0;
/** The image has a user of its own; PostgreSQL starts only for a user that the machine knows. */
const nobody = 65534;

/** The files, settings and command of the Dockerfile's last stage. */
const [lastStage = ""] = readFileSync("deploy/Dockerfile", "utf8")
  .split(/^(?=FROM )/m)
  .slice(-1);
const copied = Array.from(lastStage.matchAll(/^COPY (?:--from=\S+ )?\S+ (\S+)$/gm), ([, target = ""]) => target);
const command = JSON.parse(/^CMD (.*)$/m.exec(lastStage)?.[1] ?? "") as string[];

it("What the image holds is enough to start, for a user who may write to its data alone", async ({ skip }) => {
  skip(!isRoot, "only root starts a process as somebody else");
  skip(!othersMayEnter(resolve(".")), "the packages are only linked, and the checkout is closed to other users");
  const [image, dataDir] = [mkdtempSync(join(tmpdir(), "prahari-image-")), makeDataDir()];
  onTestFinished(() => {
    for (const folder of [image, dataDir]) rmSync(folder, { recursive: true, force: true });
  });
  for (const path of copied.map((target) => target.replace(/^\.\/$/, "package.json"))) {
    if (path === "node_modules") symlinkSync(resolve(path), join(image, path));
    else cpSync(path, join(image, path), { recursive: true, filter: (name) => !name.endsWith(".test.ts") });
  }
  chmodSync(image, 0o755);
  chownSync(dataDir, nobody, nobody);
  const product = await startProduct({ DATA_DIR: dataDir }, command, { cwd: image, uid: nobody, gid: nobody });
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  expect(await product.end("SIGTERM")).toBe(0);
});
