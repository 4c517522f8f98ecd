/** Markdown as HTML, not sanitised yet. */
export async function htmlOf(markdown: string): Promise<string> {
  // Loaded where it is needed: most starts store nothing, and are to be quick.
  const { marked } = await import("marked");
  return marked.parse(markdown);
}
