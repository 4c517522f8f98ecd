import { randomBytes, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { StartRefused } from "./start-refused.ts";

/** 256 bits in base64url. */
const whole = /^[\w-]{43}$/;

/**
 * A secret generated once and kept in its own file, which only its owner can read.
 * @param loss what a new secret would cost, for the error message
 * @throws StartRefused when the file holds no whole secret, or can't be kept
 */
export function keptSecret(path: string, loss: string): string {
  const secret = readOrMake(path);
  if (whole.test(secret)) return secret;
  throw new StartRefused(
    `The file ${path} is damaged: it holds no whole secret. Put it back from a backup, or delete it to have a new one made; ${loss}.`,
  );
}

function readOrMake(path: string): string {
  try {
    if (!existsSync(path)) make(path);
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new StartRefused(`The secret in ${path} can't be kept: ${(error as Error).message}.`);
  }
}

/**
 * The file exists as a whole or not at all, even after a crash or on a full disk; of two calls the first one's stays.
 */
function make(path: string): void {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx", flush: true });
    linkSync(unfinished, path);
    flushFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function flushFolder(folder: string): void {
  if (process.platform === "win32") return; // a folder can't be opened there
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}
