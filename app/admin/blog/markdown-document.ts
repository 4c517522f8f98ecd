import type { Extensions, JSONContent } from "@tiptap/core";
import { Image } from "@tiptap/extension-image";
import { Link } from "@tiptap/extension-link";
import { Paragraph } from "@tiptap/extension-paragraph";
import { TableKit } from "@tiptap/extension-table";
import { MarkdownManager } from "@tiptap/markdown";
import { StarterKit } from "@tiptap/starter-kit";
import { Marked } from "marked";
import { imageMarkdown, wordsOfImage } from "./image-markdown.ts";

/** Line beginnings that Markdown would read as a list, a heading or a rule. */
const meaning = [
  [/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2"],
  [/^([-+](?=\s|$)|#{1,6}(?=\s|$)|-{2,}\s*$|=+\s*$)/, "\\$1"],
] as const;

const withoutMeaning = (line: string) =>
  meaning.reduce<string>((text, [pattern, written]) => text.replace(pattern, written), line.replace(/^ +/, ""));

/** A paragraph that stays a paragraph, whatever its lines begin with. */
const PlainParagraph = Paragraph.extend({
  renderMarkdown(node, helpers, context) {
    const text = this.parent?.(node, helpers, context) ?? "";
    return text.split("\n").map(withoutMeaning).join("\n");
  },
});

/** An image whose description survives the round trip, whatever signs it contains. */
const DescribedImage = Image.extend({
  parseMarkdown: ({ href, title, text = "" }, { createNode }) =>
    createNode("image", { src: href, title, alt: wordsOfImage(text) }),
  renderMarkdown({ attrs }) {
    const { src = "", alt, title } = attrs ?? {};
    const plain = imageMarkdown({ address: String(src), alt: String(alt ?? "") });
    return title ? plain.replace(/\)$/, ` ${JSON.stringify(title)})`) : plain;
  },
});

/** The nodes and marks of the rich-text editor: those that the site shows, and nothing else. */
export const extensions: Extensions = [
  StarterKit.configure({
    paragraph: false,
    strike: false,
    underline: false,
    link: false,
    heading: { levels: [1, 2, 3, 4] },
  }),
  PlainParagraph,
  Link.configure({ openOnClick: false, defaultProtocol: "https" }),
  DescribedImage,
  TableKit,
];

const marked = new Marked();
// The manager's types name another release of this parser.
const manager = new MarkdownManager({ extensions, marked: marked as never });

export const documentOf = (markdown: string): JSONContent => manager.parse(markdown);

export const markdownOf = (document: JSONContent): string => manager.serialize(document).replace(/^\n+|\s+$/g, "");

/** Whether rich text can hold all of this Markdown: converted there and back, it renders the same. */
export function richTextHolds(markdown: string): boolean {
  try {
    return shownAs(markdown) === shownAs(markdownOf(documentOf(markdown)));
  } catch {
    return false;
  }
}

/** The rendered HTML, normalised so that equal-looking documents compare equal. */
function shownAs(markdown: string): string {
  const html = marked.parse(markdown, { async: false });
  return (
    html
      .replace(/<pre>[^]*?<\/pre>|\s+/g, (found) => (found.startsWith("<pre>") ? found : " "))
      .replace(/ ?(<\/?(?:p|ul|ol|li|h\d|blockquote|table|thead|tbody|tr|th|td|hr)[^>]*>) ?/g, "$1")
      .replace(/<strong>(<a [^>]*>)([^<]*)<\/a><\/strong>/g, "$1<strong>$2</strong></a>")
      // Lists with and without empty lines between their items.
      .replace(/<li><p>((?:(?!<\/?p>|<li>)[^])*)<\/p>/g, "<li>$1")
  );
}
