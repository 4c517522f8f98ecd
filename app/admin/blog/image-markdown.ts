import type { TextImage } from "./image-dialog.tsx";

/** An image as Markdown, with the signs in its description escaped so that they have no meaning in Markdown. */
export const imageMarkdown = ({ address, alt }: TextImage) =>
  `![${alt.replace(/[\\`*_~[\]<>&]/g, (sign) => (sign === "&" ? "&amp;" : `\\${sign}`))}](${address})`;

/** The description of an image, unescaped from Markdown. */
export const wordsOfImage = (text: string) =>
  text.replace(/\\([\\`*_~[\]<>])|&amp;/g, (_, sign?: string) => sign ?? "&");
