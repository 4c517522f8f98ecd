import type { Metadata, Sharp } from "sharp";
import { limits } from "../../contract/limits.ts";
import { pictureForms, pictureWidths } from "../../contract/post-states.ts";
import { invalidField } from "./article-changes.ts";

type Form = (typeof pictureForms)[number];

export interface EncodedImage {
  width: (typeof pictureWidths)[number];
  form: Form;
  bytes: Uint8Array;
}

const kinds = ["jpeg", "png", "webp", "avif"] as const;
type Kind = (typeof kinds)[number];

let last: Promise<unknown> = Promise.resolve();

/**
 * An uploaded image as it is shown: cut to five by two, in three widths, as AVIF and WebP, without anything that the camera
 * or the program wrote into it. One at a time, as each may take a hundred megabytes for a moment.
 * @throws Failure invalid, saying what is wrong with the file
 */
export function encodeImage(bytes: Uint8Array): Promise<EncodedImage[]> {
  const turn = last.then(() => encode(bytes));
  last = turn.catch(() => undefined);
  return turn;
}

async function encode(bytes: Uint8Array): Promise<EncodedImage[]> {
  const kind = kindOf(bytes);
  // Loaded where it is needed: it brings a library of 18 MB along.
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  const megapixels = limits.imageMegapixelsMax * 1_000_000;
  // The header alone, which says how much there would be to decode.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata().catch(isDamaged);
  checkHeader(header, kind);
  const [largest] = pictureWidths.toSorted((one, other) => other - one);
  const opened = sharp(bytes, { limitInputPixels: megapixels, failOn: "error", sequentialRead: true });
  const { data, info } = await resized(opened.autoOrient(), largest ?? 0)
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(isDamaged);
  const encoded: EncodedImage[] = [];
  for (const width of pictureWidths)
    for (const form of pictureForms) {
      const { width: from, height, channels } = info;
      const picture = resized(sharp(data, { raw: { width: from, height, channels } }), width);
      // oxlint-disable-next-line no-await-in-loop -- side by side they would take every core
      encoded.push({
        width,
        form,
        bytes: await (form === "avif" ? picture.avif({ quality: 55 }) : picture.webp()).toBuffer(),
      });
    }
  return encoded;
}

const resized = (picture: Sharp, width: number) => picture.resize({ width, height: width * 0.4, fit: "cover" });

/** What the first bytes say. @throws Failure invalid for whatever is no picture of ours */
function kindOf(bytes: Uint8Array): Kind {
  const text = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  if (text.startsWith("\xFF\xD8\xFF")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  if (/^[^]{4}ftyp[^]*?avi[fs]/.test(text.slice(0, 40))) return "avif";
  if (/<svg[\s>]/i.test(text)) throw refused("This is an SVG, which may carry scripts.");
  if (/^\s*(?:<|\{|#!|["'(]|(?:function|import|export|const|let|var|alert)\b)/i.test(text))
    throw refused("This is a page or a program, no image.");
  throw refused("This is no image that we know.");
}

function checkHeader({ format, compression, width, height, autoOrient }: Metadata, kind: Kind): void {
  const isKind = kind === "avif" ? format === "heif" && compression === "av1" : format === kind;
  if (!isKind) throw refused("This file says that it is one kind of image and is another.");
  if (width * height > limits.imageMegapixelsMax * 1_000_000)
    throw refused(
      `This image has ${Math.round((width * height) / 1_000_000)} megapixels; it may have ${limits.imageMegapixelsMax}. Please make it smaller.`,
      "",
    );
  if (autoOrient.width < limits.imageWidthMin || autoOrient.height < limits.imageHeightMin)
    throw refused(
      `This image has ${autoOrient.width} × ${autoOrient.height} pixels; it needs ${limits.imageWidthMin} × ${limits.imageHeightMin} at least.`,
      "",
    );
}

function isDamaged(): never {
  throw refused("This image is damaged or cut off.");
}

const refused = (what: string, advice = "Please choose a JPEG, PNG, WebP or AVIF.") =>
  invalidField("headerImg", `${what} ${advice}`.trim());
