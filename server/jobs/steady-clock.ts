import type { Clock } from "pg-boss";

/**
 * The time by which the queue paces itself: it goes on evenly where the machine's clock is set. By that clock, one that
 * is set back made the queue's next look at the schedule wait until the time had come again, or, beyond the longest
 * timer, made it look a thousand times a second.
 */
export const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (act, milliseconds) => setTimeout(act, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (act, milliseconds) => setInterval(act, milliseconds),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
};
