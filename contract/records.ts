/** The records of a page: every list answers exactly one array, under a name of its own. */
export const recordsOf = (page: object): unknown[] =>
  Object.values(page).find((part): part is unknown[] => Array.isArray(part)) ?? [];
