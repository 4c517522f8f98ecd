/** Stands in a page for the site's address, which is known only where the page is served; the server puts it in. */
export const addressMark = "https://address.invalid";
