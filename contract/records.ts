/** The records of a page: a list answers one array, under a name of its own. */
export const recordsOf = (page: object): unknown[] =>
  Object.values(page).find((part): part is unknown[] => Array.isArray(part)) ?? [];
