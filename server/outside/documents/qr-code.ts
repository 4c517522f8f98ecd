import { encodeQR } from "qr";

/** Readers need this many blank modules around a code. */
const border = 4;

/** A QR code as SVG. It stays readable with up to a seventh damaged, such as by a coffee stain. */
export function qrCode(text: string): string {
  const rows = encodeQR(text, "raw", { ecc: "medium", border });
  // Draws each run of dark modules as one rectangle: PDF readers show hairlines between squares.
  const runs = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${(end === -1 ? row.length : end) - x}v1H${x}z`];
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${rows.length} ${rows.length}"><path d="${runs.join("")}"/></svg>`;
}
