import type { Metadata, ResizeOptions } from "sharp";
import { limits } from "../../contract/limits.ts";
import { pictureForms, pictureWidths } from "../../contract/post-states.ts";
import { invalidField } from "../failures/failure.ts";

type Form = (typeof pictureForms)[number];

export interface EncodedImage {
  /** In pixels, of the largest file. */
  width: number;
  height: number;
  files: { width: (typeof pictureWidths)[number]; form: Form; bytes: Uint8Array }[];
}

/** How an image is cropped and sized, depending on where it is shown. */
export interface Shape {
  /** The form field to name when the file is refused. */
  field: string;
  widthMin: number;
  heightMin: number;
  resize(width: number): ResizeOptions;
}

/** Above an article: five by two, as in every list. */
export const headerShape: Shape = {
  field: "headerImg",
  widthMin: limits.imageWidthMin,
  heightMin: limits.imageHeightMin,
  resize: (width) => ({ width, height: width * 0.4, fit: "cover" }),
};

/** Within an article's text: its own proportions, never enlarged. */
export const textShape: Shape = {
  field: "image",
  widthMin: limits.textImagePixelsMin,
  heightMin: limits.textImagePixelsMin,
  resize: (width) => ({ width, height: width * 2, fit: "inside", withoutEnlargement: true }),
};

const kinds = ["jpeg", "png", "webp", "avif"] as const;
type Kind = (typeof kinds)[number];

let last: Promise<unknown> = Promise.resolve();

/**
 * Encodes an uploaded image: in its shape, in three widths, as AVIF and WebP, without metadata. One at a time, as each
 * may take a hundred megabytes for a moment.
 * @throws Failure invalid, saying what is wrong with the file
 */
export function encodeImage(bytes: Uint8Array, shape: Shape): Promise<EncodedImage> {
  const turn = last.then(() =>
    encode(bytes, shape).catch((error: unknown) => {
      throw error instanceof Refused ? invalidField(shape.field, error.message) : error;
    }),
  );
  last = turn.catch(() => undefined);
  return turn;
}

async function encode(bytes: Uint8Array, shape: Shape): Promise<EncodedImage> {
  const kind = kindOf(bytes);
  // Imported on demand: it loads a library of 18 MB.
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  const megapixels = limits.imageMegapixelsMax * 1_000_000;
  // Reads only the header, which says how much there would be to decode.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata().catch(isDamaged);
  checkHeader(header, kind, shape);
  const [largest] = pictureWidths.toSorted((one, other) => other - one);
  const opened = sharp(bytes, { limitInputPixels: megapixels, failOn: "error", sequentialRead: true });
  const { data, info } = await opened
    .autoOrient()
    .resize(shape.resize(largest ?? 0))
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(isDamaged);
  const { width: fullWidth, height, channels } = info;
  const files: EncodedImage["files"] = [];
  for (const width of pictureWidths)
    for (const form of pictureForms) {
      const picture = sharp(data, { raw: { width: fullWidth, height, channels } }).resize(shape.resize(width));
      // oxlint-disable-next-line no-await-in-loop -- side by side they would take every core
      const encoded = await (form === "avif" ? picture.avif({ quality: 55 }) : picture.webp()).toBuffer();
      files.push({ width, form, bytes: encoded });
    }
  return { width: fullWidth, height, files };
}

/** The type by the first bytes. @throws Refused for anything but a supported image */
function kindOf(bytes: Uint8Array): Kind {
  const text = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  if (text.startsWith("\xFF\xD8\xFF")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  if (/^[^]{4}ftyp[^]*?avi[fs]/.test(text.slice(0, 40))) return "avif";
  if (/<svg[\s>]/i.test(text)) throw refused("This is an SVG, which may carry scripts.");
  if (/^\s*(?:<|\{|#!|["'(]|(?:function|import|export|const|let|var|alert)\b)/i.test(text))
    throw refused("This is a page or a program, not an image.");
  throw refused("This kind of image is not supported.");
}

function checkHeader(
  { format, compression, width, height, autoOrient }: Metadata,
  kind: Kind,
  { widthMin, heightMin }: Shape,
): void {
  const isKind = kind === "avif" ? format === "heif" && compression === "av1" : format === kind;
  if (!isKind) throw refused("This file says that it is one kind of image and is another.");
  if (width * height > limits.imageMegapixelsMax * 1_000_000)
    throw refused(
      `This image has ${Math.round((width * height) / 1_000_000)} megapixels; it may have ${limits.imageMegapixelsMax}. Please make it smaller.`,
      "",
    );
  if (autoOrient.width < widthMin || autoOrient.height < heightMin)
    throw refused(
      `This image has ${autoOrient.width} × ${autoOrient.height} pixels; it needs ${widthMin} × ${heightMin} at least.`,
      "",
    );
}

function isDamaged(): never {
  throw refused("This image is damaged or cut off.");
}

/** Says what is wrong with a file, whichever field it was for. */
class Refused extends Error {}

const refused = (what: string, advice = "Please choose a JPEG, PNG, WebP or AVIF.") =>
  new Refused(`${what} ${advice}`.trim());
