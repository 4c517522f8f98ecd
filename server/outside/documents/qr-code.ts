import { encodeQR } from "qr";

/** A QR code as SVG. A reader gets it back also with a seventh of it unreadable, as after a coffee cup. */
export const qrCode = (text: string): string => encodeQR(text, "svg", { ecc: "medium", border: 4 });
