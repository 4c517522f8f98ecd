import { indiaCalendar } from "../../contract/india-time.ts";

/** An instant in India's time with its offset of +05:30; any other text unchanged. */
export const timeInFile = (text: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? indiaCalendar(new Date(text)).toISOString().replace("Z", "+05:30") : text;
