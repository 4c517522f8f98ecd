/**
 * As the `ref` of what a server refused: in a low window the sentence may be above or below the visible part of a form.
 * Centred, so that the button that was pressed shows too.
 */
export const intoSight = (told: HTMLElement | null) => told?.scrollIntoView({ block: "center" });
