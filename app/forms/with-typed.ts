export const isSame = (one: unknown, another: unknown): boolean => JSON.stringify(one) === JSON.stringify(another);

/** What is saved now, with what was typed over something else; what was not touched of that stays as it is saved. */
export const withTyped = <Typed extends object>(before: Typed, typed: Typed, saved: Typed): Typed => ({
  ...saved,
  ...Object.fromEntries(Object.entries(typed).filter(([name, value]) => !isSame(value, before[name as keyof Typed]))),
});
