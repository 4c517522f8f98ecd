import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { cardSize, type CardPath, pageCardFile, pageCards, postCardFile } from "../app/content/social-cards.ts";
import { brand } from "../contract/brand.ts";
import { readArticles } from "../server/content/articles.ts";
import { launchBrowser } from "../tests/launch-browser.ts";

/**
 * Draws the pixel images in public/: the preview picture of each page and shipped article, which social networks show
 * for a link, and the site's icons. Run it after a change of brand, of app/content/social-cards.ts or of an article's
 * title.
 */

const inter = readFileSync("node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", "base64");
const eye = `<path d="M5.5 16c2.9-4.6 6.4-6.9 10.5-6.9S23.6 11.4 26.5 16c-2.9 4.6-6.4 6.9-10.5 6.9S8.4 20.6 5.5 16Z"
  fill="none" stroke="#fff" stroke-width="2.2"/><circle cx="16" cy="16" r="3.6" fill="#fff"/>`;

const browser = await launchBrowser();
const page = await browser.newPage();
for (const folder of ["images/social", "icons"]) mkdirSync(`public/${folder}`, { recursive: true });
for (const path of Object.keys(pageCards) as CardPath[]) await drawCard(page, pageCardFile(path), pageCards[path]);
const articles = readArticles();
for (const { slug, title, image } of articles) await drawCard(page, postCardFile(slug), { title, image });
const drawn = Object.fromEntries(articles.map(({ slug, title }) => [slug, title]));
writeFileSync("app/content/drawn-posts.json", `${JSON.stringify(drawn)}\n`);
await drawIcons();
await browser.close();

async function drawCard(page: Page, file: string, { title, line, image }: Card): Promise<void> {
  await page.setViewportSize(cardSize);
  const drawing = image && Buffer.from(readFileSync(`public${image}`)).toString("base64");
  await page.setContent(`<style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${inter}); }
    body { margin: 0; height: ${cardSize.height}px; display: grid; grid-template-rows: auto 1fr auto; color: #fff;
      font-family: Inter; background: #11285a; }
    header { display: flex; align-items: center; gap: 18px; padding: 56px 84px 0; }
    b { font-size: 38px; letter-spacing: -0.01em; }
    h1 { align-self: center; margin: 0; padding: 0 84px; font-size: ${image ? 58 : 74}px; line-height: 1.1;
      letter-spacing: -0.022em; text-wrap: balance; }
    p { margin: 0; padding: 0 84px 72px; font-size: 32px; color: #d9e7fe; }
    img { display: block; width: 100%; height: 250px; object-fit: cover; }
  </style>
  <header><svg width="60" height="60" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${brand.themeColour}"/>
    ${eye}</svg><b>${brand.name}</b></header>
  <h1>${escaped(title)}</h1>
  ${line ? `<p>${escaped(line)}</p>` : `<img src="data:image/svg+xml;base64,${drawing}">`}`);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await document.querySelector("img")?.decode();
  });
  await page.screenshot({ path: `public${file}`, ...(image && { type: "jpeg", quality: 88 }) });
}

interface Card {
  title: string;
  line?: string;
  /** The article's header image, in place of a line of text. */
  image?: string;
}

/** A phone rounds the corners of a touch icon itself, and may crop a fifth of a maskable one. */
async function drawIcons(): Promise<void> {
  const rounded = (size: number) => drawIcon(size, { corner: 9, scale: 1 });
  const square = (size: number, scale: number) => drawIcon(size, { corner: 0, scale });
  writeFileSync("public/icons/192.png", await rounded(192));
  writeFileSync("public/icons/512.png", await rounded(512));
  writeFileSync("public/icons/maskable.png", await square(512, 0.75));
  writeFileSync("public/apple-touch-icon.png", await square(180, 0.9));
  const sizes = [16, 32, 48];
  writeFileSync("public/favicon.ico", icoOf(await Promise.all(sizes.map(rounded)), sizes));
}

async function drawIcon(size: number, { corner, scale }: { corner: number; scale: number }) {
  const tab = await browser.newPage({ viewport: { width: size, height: size } });
  await tab.setContent(`<style>body { margin: 0 } svg { display: block }</style>
    <svg width="${size}" height="${size}" viewBox="0 0 32 32"><rect width="32" height="32" rx="${corner}"
    fill="${brand.themeColour}"/><g transform="translate(16 16) scale(${scale}) translate(-16 -16)">${eye}</g></svg>`);
  const picture = await tab.screenshot({ omitBackground: true });
  await tab.close();
  return picture;
}

/** Several PNG pictures in one .ico file: a header, an entry of 16 bytes for each picture, then the pictures. */
function icoOf(pictures: Buffer[], sizes: number[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, picture] of pictures.entries()) {
    const entry = 6 + 16 * index;
    head.writeUInt8(sizes[index] ?? 0, entry);
    head.writeUInt8(sizes[index] ?? 0, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(picture.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
