/** A control that had the focus. */
interface Stop {
  control: HTMLElement;
  /** The part of the page around it, and its row, if any. */
  place: HTMLElement;
  row: Element | null;
  /** The number of controls of its kind before its row, and before it within the row. */
  before: number;
  inRow: number;
  kind: string;
  screen: string;
}

const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
const stopsMax = 12;
let stops: Stop[] = [];
let byPointer: boolean;
let waits: ReturnType<typeof setTimeout> | undefined;
/** Leaves this long to dialogs that return the focus themselves, and to renders in two steps. */
const patienceMs = 40;

/**
 * Keeps keyboard users in place: when the focused control is removed, the focus moves to what takes its place, to the
 * control before it, or to the heading above, instead of the top of the page. When a whole part such as a dialog is
 * removed, the focus returns to the control that led there, or to what takes that control's place.
 * A control's `data-next` is a selector for what takes its place, if that is not the next control.
 * `byKeyboard` says how the first focus came, which led to this.
 */
export function passFocusOn(byKeyboard: boolean): void {
  // Keys and focus that came before this script.
  byPointer = !byKeyboard;
  note();
  addEventListener("pointerdown", () => (byPointer = true), true);
  addEventListener("keydown", noteKey, true);
  addEventListener("focusin", note);
  new MutationObserver(seeLost).observe(document.body, { childList: true, subtree: true });
}

function noteKey({ key }: KeyboardEvent): void {
  byPointer = false;
  // If the last control is gone, the user has moved on from there or works by pointer.
  if (!stops.at(-1)?.control.isConnected) stops = [];
  // Rows may have come or gone above it meanwhile.
  if (key === "Enter" || key === " ") note();
}

function note(): void {
  const control = document.activeElement;
  // Other elements, such as headings, are focused by code, which handles them itself.
  if (!(control instanceof HTMLElement) || !control.matches(controls)) return;
  const place = control.closest<HTMLElement>("section, [role=dialog], main") ?? document.body;
  const kind = control.dataset["next"] ?? controls;
  const row = rowOf(control);
  const peers = peersIn(place, kind);
  const at = peers.indexOf(control);
  const before = row ? peers.findIndex((peer) => row.contains(peer)) : at;
  const stop = { control, place, row, before, inRow: at - before, kind, screen: location.pathname };
  stops.splice(stops.at(-1)?.control === control ? -1 : stops.length, 1, stop);
  if (stops.length > stopsMax) stops.shift();
}

const isLost = () => document.activeElement === document.body && stops.at(-1)?.control.isConnected === false;

function seeLost(): void {
  if (!isLost()) return;
  clearTimeout(waits);
  if (byPointer) stops = [];
  else waits = setTimeout(goOn, patienceMs);
}

/** Moves the lost focus on, unless the user has moved it or is on another screen. */
function goOn(): void {
  const last = stops.at(-1);
  if (!isLost() || !last) return;
  const left = stops.findLast(({ control, place }) => control.isConnected || place.isConnected) ?? last;
  if (left.screen === location.pathname) goTo(left.control.isConnected ? left.control : nextOf(left));
}

function nextOf({ place, row, before, inRow, kind }: Stop): HTMLElement | null {
  const peers = peersIn(place, kind);
  const next = peers[row?.isConnected ? before + inRow : before];
  const nextRow = row && !row.isConnected && next ? rowOf(next) : null;
  const inNext = nextRow ? peers.filter((peer) => nextRow.contains(peer)) : [];
  return (
    inNext[inRow] ?? inNext.at(-1) ?? next ?? peers.at(-1) ?? headingIn(place) ?? document.querySelector("main h1")
  );
}

const rowOf = (control: Element) => control.closest("tr, li, [role=row], [role=listitem]");

const headingIn = (place: HTMLElement) => (place.isConnected ? place.querySelector<HTMLElement>("h1, h2, h3") : null);

const peersIn = (place: HTMLElement, kind: string) =>
  [...place.querySelectorAll<HTMLElement>(kind)].filter((peer) => peer.checkVisibility({ visibilityProperty: true }));

/** Focuses a part, even one that is not a tab stop, such as a heading or a row. */
function goTo(part: HTMLElement | null): void {
  if (!part) return;
  if (part.tabIndex < 0) part.tabIndex = -1;
  part.focus();
}
