/** How long until something is due, or since when it is late: in 25 min, late by 3 h 5 min. */
export function dueIn(due: string, now: Date): string {
  const minutes = (Date.parse(due) - now.getTime()) / 60_000;
  return minutes >= 0 ? `in ${showMinutes(minutes)}` : `late by ${showMinutes(-minutes)}`;
}

/** 25 min, 3 h 5 min, 4 days 2 h. */
export function showMinutes(minutes: number): string {
  const whole = Math.max(0, Math.floor(minutes));
  const [days, hours, rest] = [Math.floor(whole / 1440), Math.floor((whole % 1440) / 60), whole % 60];
  if (days > 0) return `${days} ${days === 1 ? "day" : "days"}${hours > 0 ? ` ${hours} h` : ""}`;
  if (hours > 0) return `${hours} h${rest > 0 ? ` ${rest} min` : ""}`;
  return `${rest} min`;
}
