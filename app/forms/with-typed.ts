export const isSame = (one: unknown, another: unknown): boolean => JSON.stringify(one) === JSON.stringify(another);

/** Three-way merge: the saved values, overlaid with those that differ from `before`. */
export const withTyped = <Typed extends object>(before: Typed, typed: Typed, saved: Typed): Typed => ({
  ...saved,
  ...Object.fromEntries(Object.entries(typed).filter(([name, value]) => !isSame(value, before[name as keyof Typed]))),
});
