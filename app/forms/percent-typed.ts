/** What somebody typed as a percentage; NaN, which the contract refuses, where it is none. */
export const percentTyped = (typed: string): number =>
  /^(?:\d{1,9}(?:\.\d*)?|\.\d+)$/.test(typed.trim()) ? Number(typed) : Number.NaN;
