import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { resolve } = createRequire(import.meta.url);

/** Every font that documents are set in, regular and semibold. Typst reads a file only when a text needs it. */
export const fontPaths: string[] = [
  fileURLToPath(new URL("fonts", import.meta.url)),
  ...ofGoogle("noto-emoji", "NotoEmoji"),
  ...ofGoogle("noto-sans-armenian", "NotoSansArmenian"),
  ...ofGoogle("noto-sans-georgian", "NotoSansGeorgian"),
  ...ofGoogle("noto-sans-khmer", "NotoSansKhmer"),
  ...ofGoogle("noto-sans-lao", "NotoSansLao"),
  ...ofGoogle("noto-sans-myanmar", "NotoSansMyanmar"),
  ...ofGoogle("noto-sans-symbols", "NotoSansSymbols"),
  ...ofGoogle("noto-sans-symbols-2", "NotoSansSymbols2", ["400Regular"]),
  ...ofGoogle("noto-sans-thaana", "NotoSansThaana"),
  ...ofEastAsia("fonts-jp", "NotoSansJP"),
  ...ofEastAsia("fonts-kr", "NotoSansKR"),
  ...ofEastAsia("fonts-sc", "NotoSansHans"),
];

function ofGoogle(name: string, font: string, weights = ["400Regular", "600SemiBold"]): string[] {
  return weights.map((weight) => resolve(`@expo-google-fonts/${name}/${weight}/${font}_${weight}.ttf`));
}

/** These fonts have no semibold; bold is the nearest. */
function ofEastAsia(name: string, font: string): string[] {
  const folder = join(dirname(resolve(`@embedpdf/${name}`)), "../fonts");
  return ["Regular", "Bold"].map((weight) => join(folder, `${font}-${weight}.otf`));
}
