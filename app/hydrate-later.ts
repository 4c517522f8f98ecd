/** When a page's script starts: at the first pointer, key or touch event, or as soon as the page has been painted. */
export type Start = "touched" | "painted";

/** Reads a page's start from its handle; a reading page has `export const handle = { reads: true }`. */
export function startOf(matches: { route: { handle?: unknown } }[]): Start {
  const reads = matches.some(
    ({ route: { handle } }) => typeof handle === "object" && handle !== null && "reads" in handle,
  );
  return reads ? "touched" : "painted";
}

/**
 * Keeps React's script from delaying the first paint. A reading page works without script: its script is loaded on the
 * first interaction, or after the first paint for signed-in users; any other page's is loaded after the first paint.
 * The module script that starts it is kept as text with the modules to preload, and inserted by a small script. `mark`
 * is the nonce of the page's own scripts while it is rendered.
 */
export function hydrateLater(page: string, start: Start, mark: string): string {
  const preload = /<link rel="modulepreload"[^>]*? href="([^"]*)"[^>]*>/g;
  const modules = [...page.matchAll(preload)].map(([, href = ""]) => href).join(" ");
  const attributes = `nonce="${mark}" data-start="${start}" data-modules="${modules}"`;
  return page
    .replaceAll(preload, "")
    .replace(
      /<script((?:(?!type=)[^>])*) type="module"([^>]*)>/,
      // `async` has no meaning on an element that is not a script.
      (_tag, before: string, after: string) =>
        `<script${before} type="text/plain" data-later=""${after.replace(/ async(?:="")?/, "")}>`,
    )
    .replace("</body>", () => `<script ${attributes}>${startLater}</script></body>`);
}

// A form that is submitted before the script has loaded is marked, and submitted once it has.
// An animation frame runs before its paint is visible: scripts requested in it would compete with fonts and style
// sheets. If nothing is painted, as in a background tab, they are requested after a second.
// A pointermove without movement does not come from a person: browsers send one after layout.
const startLater = `(() => {
const { dataset } = document.currentScript, events = ["pointermove", "pointerdown", "keydown", "touchstart"];
const add = (name, properties) => document.head.append(Object.assign(document.createElement(name), properties));
let started = false;
const start = (event) => {
if (started || (event?.type === "pointermove" && !event.movementX && !event.movementY)) return;
started = true;
for (const name of events) removeEventListener(name, start, true);
for (const href of dataset.modules.split(" ")) add("link", { rel: "modulepreload", href });
add("script", { type: "module", textContent: document.querySelector("script[data-later]").textContent });
};
for (const name of events) addEventListener(name, start, { capture: true, passive: true });
addEventListener("submit", ({ target, defaultPrevented }) => defaultPrevented || (target.dataset.early = ""));
if (dataset.start === "painted" || localStorage.getItem("isAuthenticated") === "true") {
new PerformanceObserver(() => start()).observe({ type: "paint", buffered: true });
setTimeout(start, 1000);
}
})()`;
