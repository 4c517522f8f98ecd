/** When a page's script starts: at the first pointer, key or touch, or as soon as the page has been painted. */
export type Start = "touched" | "painted";

/** A reading page says so: `export const handle = { reads: true }`. */
export function startOf(matches: { route: { handle?: unknown } }[]): Start {
  const reads = matches.some(
    ({ route: { handle } }) => typeof handle === "object" && handle !== null && "reads" in handle,
  );
  return reads ? "touched" : "painted";
}

/**
 * Keeps React's script out of the way of what is read first. A reading page works by the platform alone: its script
 * arrives when someone touches it, or after the first paint for who is signed in; any other page's after the first paint.
 * The module script that would start it is kept as text with the modules to preload, and put in by a small one.
 * `mark` is the nonce of the page's own scripts while it is rendered.
 */
export function hydrateLater(page: string, start: Start, mark: string): string {
  const preload = /<link rel="modulepreload"[^>]*? href="([^"]*)"[^>]*>/g;
  const modules = [...page.matchAll(preload)].map(([, href = ""]) => href).join(" ");
  const attributes = `nonce="${mark}" data-start="${start}" data-modules="${modules}"`;
  return page
    .replaceAll(preload, "")
    .replace(
      /<script((?:(?!type=)[^>])*) type="module"([^>]*)>/,
      // What is no script is no asynchronous one either.
      (_tag, before: string, after: string) =>
        `<script${before} type="text/plain" data-later=""${after.replace(/ async(?:="")?/, "")}>`,
    )
    .replace("</body>", () => `<script ${attributes}>${startLater}</script></body>`);
}

// A form that is sent before the script is marked, and sent once that is there.
// An animation frame comes before what it paints is seen: scripts asked for by then compete with fonts and style sheets. Where
// nothing is painted, as in a tab in the background, they come after a second.
// A pointermove without movement is no person's doing: browsers send one when a page has been laid out.
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
