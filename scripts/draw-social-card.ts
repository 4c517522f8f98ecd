import { readFileSync } from "node:fs";
import { launchBrowser } from "../tests/browser.ts";
import { brand } from "../contract/brand.ts";

/** Draws public/images/social-card.png, which networks show where a page of the site is linked: 1200 by 630 pixels. */

const inter = readFileSync("node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", "base64");
const card = `<style>
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${inter}); }
  body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 84px; color: #fff;
    font-family: Inter; background: #11285a; }
  h1 { margin: 96px 0 20px; font-size: 74px; line-height: 1.08; letter-spacing: -0.022em; text-wrap: balance; }
  p { margin: 0; font-size: 32px; color: #d9e7fe; }
  b { font-size: 44px; letter-spacing: -0.01em; }
  div { display: flex; align-items: center; gap: 20px; }
</style>
<div>
  <svg width="68" height="68" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${brand.themeColour}"/>
  <path d="M5.5 16c2.9-4.6 6.4-6.9 10.5-6.9S23.6 11.4 26.5 16c-2.9 4.6-6.4 6.9-10.5 6.9S8.4 20.6 5.5 16Z" fill="none"
  stroke="#fff" stroke-width="2.2"/><circle cx="16" cy="16" r="3.6" fill="#fff"/></svg><b>${brand.name}</b>
</div>
<h1>Your security operations centre, without building one</h1>
<p>Watched 24x7, priced by device, logs kept 365 days in India.</p>`;

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(card);
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: "public/images/social-card.png" });
await browser.close();
