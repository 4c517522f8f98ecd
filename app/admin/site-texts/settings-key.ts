/** The key of the query for all sections of the site's texts. */
export const settingsKey = ["admin/settings"];
