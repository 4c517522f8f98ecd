/** A typed percentage as a number; NaN, which the contract refuses, if it is none. */
export const percentTyped = (typed: string): number =>
  /^(?:\d{1,9}(?:\.\d*)?|\.\d+)$/.test(typed.trim()) ? Number(typed) : Number.NaN;
