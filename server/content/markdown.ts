import type { Marked } from "marked";
import { invalidField } from "../failures/failure.ts";

/**
 * Emphasis marks parsed in one paragraph. Each may open what any later one closes: with far more, the renderer would
 * run for minutes.
 */
const emphasisMarksMax = 400;

let renderer: Promise<Marked> | null = null;

/** Renders Markdown to HTML that is not yet sanitised. @throws Failure invalid for text nested too deeply to render */
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

/** Imported on demand: most processes render nothing and should start quickly. */
async function openRenderer(): Promise<Marked> {
  const { Marked } = await import("marked");
  let judged = { paragraph: "", isPlain: false };
  return new Marked({
    tokenizer: {
      // Called at each mark of a paragraph. False leaves the mark to the renderer, undefined makes it plain text.
      emStrong(_from, paragraph) {
        if (judged.paragraph !== paragraph)
          judged = { paragraph, isPlain: (paragraph.match(/[*_]/g)?.length ?? 0) > emphasisMarksMax };
        return judged.isPlain ? undefined : false;
      },
    },
  });
}
