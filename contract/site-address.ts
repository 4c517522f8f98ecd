/**
 * Placeholder in a page for the site's address, which is known only where the page is served; the server replaces it.
 */
export const addressMark = "https://address.invalid";
