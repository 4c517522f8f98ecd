import type { TextImage } from "./image-dialog.tsx";

/** An image as Markdown; what its words would make something else of is written so that it stays what it is. */
export const imageMarkdown = ({ address, alt }: TextImage) =>
  `![${alt.replace(/[\\`*_~[\]<>&]/g, (sign) => (sign === "&" ? "&amp;" : `\\${sign}`))}](${address})`;

/** The words of an image, as they stand in Markdown. */
export const wordsOfImage = (text: string) =>
  text.replace(/\\([\\`*_~[\]<>])|&amp;/g, (_, sign?: string) => sign ?? "&");
