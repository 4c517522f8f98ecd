/** Where the focus was: the control, the part of the page around it, and how many of its kind stood there before it. */
interface Stop {
  control: HTMLElement;
  place: HTMLElement;
  kind: string;
  at: number;
  screen: string;
}

const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
const stopsMax = 12;
const stops: Stop[] = [];
let byPointer = false;

/**
 * Whoever works by keys goes on from where they were: when the control with the focus goes from the page, the focus goes to
 * what stands in its place then, to the one before, or to the heading above, and not to the page's beginning. When a whole
 * part goes, as a dialog does, it goes back to what was left for that, or to what stands in the place of that.
 *
 * A control's `data-next` says by a selector what takes its place, where that is not the next control.
 */
export function passFocusOn(): void {
  addEventListener("pointerdown", () => (byPointer = true), true);
  addEventListener("keydown", noteKey, true);
  addEventListener("focusin", note);
  new MutationObserver(goOn).observe(document.body, { childList: true, subtree: true });
}
function noteKey({ key }: KeyboardEvent): void {
  byPointer = false;
  // Rows may have come or gone above it meanwhile.
  if (key === "Enter" || key === " ") note();
}

function note(): void {
  const control = document.activeElement;
  const place = control?.closest<HTMLElement>("section, [role=dialog], main");
  // Where a heading was gone to, whoever goes there sees to it.
  if (!place || !(control instanceof HTMLElement) || !control.matches(controls)) return;
  const kind = control.dataset["next"] ?? controls;
  const stop = { control, place, kind, at: peersIn(place, kind).indexOf(control), screen: location.pathname };
  stops.splice(stops.at(-1)?.control === control ? -1 : stops.length, 1, stop);
  if (stops.length > stopsMax) stops.shift();
}

/** Nowhere where somebody has moved on, by themselves or to another screen. */
function goOn(): void {
  const last = stops.at(-1);
  if (byPointer || document.activeElement !== document.body || !last || last.control.isConnected) return;
  const left = stops.findLast(({ control, place }) => control.isConnected || place.isConnected) ?? last;
  if (left.screen === location.pathname) goTo(left.control.isConnected ? left.control : nextOf(left));
}

function nextOf({ place, kind, at }: Stop): HTMLElement | null {
  const peers = peersIn(place, kind);
  return peers[at] ?? peers.at(-1) ?? headingIn(place) ?? document.querySelector("main h1");
}

const headingIn = (place: HTMLElement) => (place.isConnected ? place.querySelector<HTMLElement>("h1, h2, h3") : null);

const peersIn = (place: HTMLElement, kind: string) =>
  [...place.querySelectorAll<HTMLElement>(kind)].filter((peer) => peer.checkVisibility({ visibilityProperty: true }));

/** Also to what the keyboard stops at only this once, as a heading or a row. */
function goTo(part: HTMLElement | null): void {
  if (!part) return;
  if (part.tabIndex < 0) part.tabIndex = -1;
  part.focus();
}
