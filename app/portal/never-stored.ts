/** Headers of the portals' pages: after a sign-out, the way back must not show what was on the screen. */
export const neverStored = () => ({ "Cache-Control": "no-store" });
