/** What waiting for a page takes of the video at most. */
const waitSeconds = 0.5;

/** The time of a video that goes on with the clock (milliseconds), but leaves out what takes longer than it should. */
export function videoClock(now: () => number) {
  const readings: { at: number; shown: number }[] = [];
  const length = () => readings.at(-1)?.shown ?? 0;
  return {
    /** The video's seconds so far: since the last reading at most so many have gone by. */
    read(secondsMax = waitSeconds): number {
      const at = now() / 1000;
      const last = readings.at(-1);
      const shown = last ? last.shown + Math.min(at - last.at, secondsMax) : 0;
      readings.push({ at, shown });
      return shown;
    },
    /** The video's second for one of the clock's; between two readings it goes evenly. */
    shownAt(seconds: number): number {
      const next = readings.findIndex(({ at }) => at > seconds);
      const [from, to] = [readings[next - 1], readings[next]];
      if (!from || !to) return next === 0 ? 0 : length();
      return from.shown + ((seconds - from.at) / (to.at - from.at)) * (to.shown - from.shown);
    },
    length,
  };
}
