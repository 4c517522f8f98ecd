/**
 * As the `ref` of what a server refused: in a low window the sentence may be above or below the visible part of a form.
 * Nothing moves where it is seen as it stands.
 */
export const intoSight = (told: HTMLElement | null) => told?.scrollIntoView({ block: "nearest" });
