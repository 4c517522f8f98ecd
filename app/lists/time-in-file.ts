import { indiaCalendar } from "../../contract/india-time.ts";

/** An instant with the day and the clock that the screen has, and how far that clock is ahead; anything else as it is. */
export const timeInFile = (text: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? indiaCalendar(new Date(text)).toISOString().replace("Z", "+05:30") : text;
