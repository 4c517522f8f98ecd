/** Headers of the portals' pages: after a sign-out, Back must not show what was on the screen. */
export const neverStored = () => ({ "Cache-Control": "no-store" });
