import { limits } from "../../contract/limits.ts";
import { type Failure, invalidField } from "../failures/failure.ts";
import { isUuid } from "./is-uuid.ts";

/** How many rows a list has, as far as counted. */
export interface Counted {
  total: number;
  totalIsCapped: boolean;
}

/** Where a page ended, with the count of the first page, so that later pages don't count again. */
export interface Cursor extends Counted {
  sorted: string;
  id: string;
}

export function writeCursor({ sorted, id, total, totalIsCapped }: Cursor): string {
  return Buffer.from(JSON.stringify([sorted, id, total, totalIsCapped])).toString("base64url");
}

/** @throws Failure invalid for a cursor that writeCursor did not make */
export function readCursor(cursor: string): Cursor {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (!Array.isArray(read)) throw unknownPlace();
    const [sorted, id, total, totalIsCapped]: unknown[] = read;
    if (
      typeof sorted === "string" &&
      typeof id === "string" &&
      isUuid(id) &&
      isCount(total) &&
      typeof totalIsCapped === "boolean"
    )
      return { sorted, id, total, totalIsCapped };
  } catch {
    // handled below, like any other invalid cursor
  }
  throw unknownPlace();
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= limits.countedMax;

export function unknownPlace(): Failure {
  const sentence = "This place in the list is not known. Please start from the first page.";
  return invalidField("cursor", sentence);
}
