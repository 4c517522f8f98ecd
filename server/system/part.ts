import type { SystemPart } from "../../contract/system.ts";
import { answeredWithin, DatabaseSilent } from "../database/watch.ts";
import { summariseError } from "../failures/describe-error.ts";

/** How long each part may take to answer; all are asked at once. */
export const partMs = 3000;

type Told = Omit<SystemPart, "name">;

/** What a part reports; a failure or a timeout is reported as its state. */
export async function tellPart(
  name: SystemPart["name"],
  remedy: string,
  read: () => Promise<Told>,
): Promise<SystemPart> {
  try {
    return { name, ...(await answeredWithin(partMs, read())) };
  } catch (error) {
    const late = error instanceof DatabaseSilent;
    const says = late
      ? `No answer within ${partMs / 1000} seconds.`
      : `It does not work: ${summariseError(error).slice(0, 300)}`;
    return { name, state: "bad", says, remedy, facts: [] };
  }
}

export const fact = (name: string, value: string | number) => ({ name, value: String(value), isInstant: false });
export const instantFact = (name: string, value: Date) => ({ name, value: value.toISOString(), isInstant: true });

const byteUnits = ["bytes", "KB", "MB", "GB", "TB"];

/** Such as "1.2 GB". */
export function writeBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), byteUnits.length - 1);
  const value = bytes / 1024 ** power;
  return `${value.toFixed(value < 10 && power > 0 ? 1 : 0)} ${byteUnits[power]}`;
}

/** Such as "12 minutes": rounded down, in the largest unit that fits. */
export function writeSpan(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const;
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? (["second", 1] as const);
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
