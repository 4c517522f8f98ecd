/** Of the query that has all sections of the site's texts. */
export const settingsKey = ["admin/settings"];
