import type { Marked } from "marked";
import { invalidField } from "../failures/failure.ts";

/** In one paragraph. Each may begin what any later one ends: for far more, the renderer tries for minutes. */
const emphasisMarksMax = 400;

let renderer: Promise<Marked> | null = null;

/** Markdown as HTML, not sanitised yet. @throws Failure invalid for what is nested too deeply to be rendered */
export async function htmlOf(markdown: string): Promise<string> {
  renderer ??= openRenderer();
  const marked = await renderer;
  try {
    return await marked.parse(markdown);
  } catch (error) {
    if (error instanceof RangeError)
      throw invalidField("markdown", "Quotes or lists are nested too deeply in this text. Please use fewer levels.");
    throw error;
  }
}

/** Loaded where it is needed: most starts render nothing, and are to be quick. */
async function openRenderer(): Promise<Marked> {
  const { Marked } = await import("marked");
  let judged = { paragraph: "", isPlain: false };
  return new Marked({
    tokenizer: {
      // It is asked at each mark of a paragraph. False leaves it to the renderer, undefined makes a mark mere text.
      emStrong(_from, paragraph) {
        if (judged.paragraph !== paragraph)
          judged = { paragraph, isPlain: (paragraph.match(/[*_]/g)?.length ?? 0) > emphasisMarksMax };
        return judged.isPlain ? undefined : false;
      },
    },
  });
}
