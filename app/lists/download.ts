/** Saves data of the page as a file. */
export function download(fileName: string, parts: BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

/** Saves a file that an answer contains as base64. */
export const downloadAnswer = ({ fileName, type, content }: Record<"fileName" | "type" | "content", string>): void =>
  download(fileName, [Uint8Array.from(atob(content), (letter) => letter.codePointAt(0) ?? 0)], type);
