/** Engines use times outside this range for "never" and "always". */
const [earliest, latest] = [Date.parse("2000-01-01"), Date.parse("2200-01-01")];

/**
 * An instant as an engine writes it: ISO 8601, in UTC unless it has a zone, or milliseconds since 1970. Null if it is
 * missing, unreadable, or a placeholder such as 1970-01-01 or 9999-12-31.
 */
export function readTime(written: string | number | null | undefined): Date | null {
  if (written === null || written === undefined || written === "") return null;
  const ms = typeof written === "number" ? written : Date.parse(inUtc(written));
  return ms > earliest && ms < latest ? new Date(ms) : null;
}

/** The same for a number of seconds since 1970. */
export const readSeconds = (written: number | null | undefined) =>
  readTime(typeof written === "number" ? written * 1000 : null);

function inUtc(written: string): string {
  const iso = written.trim().replace(" ", "T");
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return iso;
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(iso) ? iso.replace(/([+-]\d{2})(\d{2})$/, "$1:$2") : `${iso}Z`;
}

/** How far an answer's Date header is ahead of our clock, in seconds. */
export function readSkew(dated: string | undefined, now: Date): number | null {
  const ms = dated ? Date.parse(dated) : Number.NaN;
  // The header is cut to whole seconds: add the half second that is lost on average.
  return Number.isFinite(ms) ? Math.round((ms + 500 - now.getTime()) / 1000) : null;
}
