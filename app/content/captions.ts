/** A scene of the demo video: from which second on, and what is seen. */
export interface Scene {
  from: number;
  text: string;
}

/** The captions of a video in WebVTT, each scene until the next. */
export function captionsOf({ seconds, scenes }: { seconds: number; scenes: Scene[] }): string {
  const cues = scenes.map(
    ({ from, text }, index) => `${timeOf(from)} --> ${timeOf(scenes[index + 1]?.from ?? seconds)}\n${text}\n`,
  );
  return ["WEBVTT\n", ...cues].join("\n");
}

/** 00:00:17.300 */
const timeOf = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
