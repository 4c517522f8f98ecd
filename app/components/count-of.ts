import { formatCount } from "../../contract/format-count.ts";
/** A count with its noun: "1 device", "1,200 devices". */
export const countOf = (count: number, what: string) => `${formatCount(count)} ${what}${count === 1 ? "" : "s"}`;
