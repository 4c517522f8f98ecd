import { expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { PostContent } from "../../contract/posts.ts";
import { htmlOf } from "./markdown.ts";

const whole = (piece: string) => piece.repeat(Math.floor(limits.articleLengthMax / piece.length));

// Each of these once kept the renderer busy for half a minute or more, and everybody else waited for this process.
it.each(["_a b_c ", "_*a ", "**a *b ", "[a](b ", "<a "])("An article of nothing but %o is rendered", async (piece) => {
  expect((await htmlOf(whole(piece))).length).toBeGreaterThanOrEqual(whole(piece).trim().length);
});

it("A paragraph with too many marks is mere text, and the others of its article are not", async () => {
  const html = await htmlOf(`**Bold** and _slanted_\n\n${"_a b_c ".repeat(300)}\n\n*Last*`);
  expect(html).toMatch(/^<p><strong>Bold<\/strong> and <em>slanted<\/em><\/p>\n<p>_a b_c /);
  expect(html).toMatch(/<p><em>Last<\/em><\/p>\n$/);
});

it("What is nested without end is refused with a sentence", async () => {
  for (const piece of [">", "> "])
    await expect(htmlOf(whole(piece))).rejects.toMatchObject({
      code: "invalid",
      fields: { markdown: "Quotes or lists are nested too deeply in this text. Please use fewer levels." },
    });
});

it("A word without end is refused before it is saved", () => {
  const { markdown } = PostContent.shape;
  expect(markdown.safeParse(`See https://soc.example/${"a".repeat(900)} today.`).success).toBe(true);
  expect(markdown.safeParse(whole("_a_")).error?.issues[0]?.message).toMatch(/^Please put a space into what is longer/);
});
