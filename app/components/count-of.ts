/** A count with its noun: "1 device", "1,200 devices". */
export const countOf = (count: number, what: string) =>
  `${count.toLocaleString("en-IN")} ${what}${count === 1 ? "" : "s"}`;
