/**
 * As the `ref` of what a server refused: in a low window the sentence may be above or below the visible part of a form.
 * Centred, so that the button that was pressed shows too; nothing moves where all of it is seen.
 */
export function intoSight(told: HTMLElement | null): void {
  if (!told) return;
  const { left, top, bottom } = told.getBoundingClientRect();
  const isSeen = [top + 8, bottom - 8].every((y) => told.contains(document.elementFromPoint(left + 8, y)));
  if (!isSeen) told.scrollIntoView({ block: "center" });
}
