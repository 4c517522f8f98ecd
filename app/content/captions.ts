/** A scene of the demo video: its first second, and what is seen. */
export interface Scene {
  from: number;
  text: string;
}

/** A video's captions in WebVTT, each shown until the next scene. */
export function captionsOf({ seconds, scenes }: { seconds: number; scenes: Scene[] }): string {
  const cues = scenes.map(
    ({ from, text }, index) => `${timeOf(from)} --> ${timeOf(scenes[index + 1]?.from ?? seconds)}\n${text}\n`,
  );
  return ["WEBVTT\n", ...cues].join("\n");
}

/** A time as WebVTT has it: "00:00:17.300". */
const timeOf = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
