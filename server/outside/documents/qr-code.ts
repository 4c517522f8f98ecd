import { encodeQR } from "qr";

/** Modules of quiet around a code, which a reader wants. */
const border = 4;

/** A QR code as SVG. A reader gets it back also with a seventh of it unreadable, as after a coffee cup. */
export function qrCode(text: string): string {
  const rows = encodeQR(text, "raw", { ecc: "medium", border });
  // Each run of dark modules is one rectangle: between squares, PDF readers draw hairlines.
  const runs = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${(end === -1 ? row.length : end) - x}v1H${x}z`];
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${rows.length} ${rows.length}"><path d="${runs.join("")}"/></svg>`;
}
