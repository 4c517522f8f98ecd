import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/**
 * Writes a file that exists as a whole or not at all, even after a crash or on a full disk; only its owner can read it.
 */
export function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    const file = openSync(unfinished, "w", 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
