/** The most that waiting for a page takes in the video. */
const waitSeconds = 0.5;

/** A video's time, which follows the clock (milliseconds) but cuts whatever takes longer than it should. */
export function videoClock(now: () => number) {
  const readings: { at: number; shown: number }[] = [];
  const length = () => readings.at(-1)?.shown ?? 0;
  return {
    /** The seconds of video so far; counts at most `secondsMax` since the last reading. */
    read(secondsMax = waitSeconds): number {
      const at = now() / 1000;
      const last = readings.at(-1);
      const shown = last ? last.shown + Math.min(at - last.at, secondsMax) : 0;
      readings.push({ at, shown });
      return shown;
    },
    /** The second of the video for one of the clock; linear between two readings. */
    shownAt(seconds: number): number {
      const next = readings.findIndex(({ at }) => at > seconds);
      const [from, to] = [readings[next - 1], readings[next]];
      if (!from || !to) return next === 0 ? 0 : length();
      return from.shown + ((seconds - from.at) / (to.at - from.at)) * (to.shown - from.shown);
    },
    length,
  };
}
