import { Marked } from "marked";
import { describe, expect, it, test } from "vitest";
import { readArticles } from "../../../server/content/articles.ts";
import { documentOf, markdownOf, richTextHolds } from "./markdown-document.ts";

const html = (markdown: string) => new Marked().parse(markdown, { async: false });

describe("From Markdown to rich text and back", () => {
  test.each(readArticles().map(({ slug, markdown }) => [slug, markdown]))("%s stays what it is", (_slug, markdown) => {
    expect(richTextHolds(markdown)).toBe(true);
  });

  test.each([
    ["headings", "# One\n\n## Two\n\n#### Four"],
    ["lists in lists", "- a\n  - b\n    1. c\n    2. d\n- e"],
    ["a list that starts at three", "3. a\n4. b"],
    ["a list with empty lines", "- a\n\n- b"],
    ["marks", "**bold** *leaning* `code` **`both`** [link](https://a.example/x?y=1)"],
    ["a quote", "> a\n>\n> b"],
    ["code", "```js\nif (x < 1)   return;\n```"],
    ["a table", "| a | b |\n| :-- | --: |\n| 1 | **2** |"],
    ["an image", "![What it shows](/images/blog/x.svg)"],
    ["an image whose words have signs in them", "![a \\[b\\] \\*c\\* d\\_e](/images/blog/x.svg)"],
    ["an image with a title", '![a](/images/blog/x.svg "b")'],
    ["a break and a rule", "a  \nb\n\n---\n\nc"],
    ["signs", "2 < 3, AT&T, a_b_c, 5 \\* 3 \\* 2, 1\\. no list"],
  ])("%s stay what they are", (_what, markdown) => {
    expect(richTextHolds(markdown)).toBe(true);
  });

  test.each([
    ["HTML", "a <kbd>b</kbd> c"],
    ["a figure", "<figure><img src='/a.png'></figure>"],
    ["what is struck out", "a ~~b~~ c"],
    ["a task list", "- [ ] a\n- [x] b"],
    ["a named sign", "&copy; 2026"],
  ])("%s would be lost: it is told", (_what, markdown) => {
    expect(richTextHolds(markdown)).toBe(false);
  });
});

describe("What is typed in rich text", () => {
  it.each(["5 * 3 * 2 = 30", "a [b] c", "a_b_c", "<b>", "AT&T &amp;", "`x`", "\\", "~~a~~", "](/elsewhere)"])(
    "%s as the words of an image says so to who can't see it, and to who opens it again",
    (alt) => {
      const image = { type: "image", attrs: { src: "/images/blog/x.svg", alt } };
      const markdown = markdownOf({ type: "doc", content: [image] });
      const escaped = alt.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      expect(html(markdown)).toBe(`<p><img src="/images/blog/x.svg" alt="${escaped}"></p>\n`);
      expect(JSON.stringify(documentOf(markdown))).toContain(JSON.stringify(alt));
    },
  );

  it.each([
    "1. x",
    "1) x",
    "- x",
    "+ x",
    "# x",
    "---",
    "===",
    "> x",
    "*x*",
    "_x_",
    "`x`",
    "<b>",
    "[a](b)",
    "a | b",
    "\\",
    "&amp;",
  ])("%s stays a paragraph that says so", (text) => {
    const markdown = markdownOf({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] });
    const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(html(markdown)).toBe(`<p>${escaped}</p>\n`);
    expect(documentOf(markdown).content?.map(({ type }) => type)).toEqual(["paragraph"]);
  });
});
