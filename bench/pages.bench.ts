import autocannon from "autocannon";
import lighthouse from "lighthouse";
import { fork } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { launchBrowser } from "../tests/launch-browser.ts";
import { member } from "../tests/people.ts";
import { signedIn } from "../tests/signed-in.ts";
import { scriptBudget, weighPage } from "../tests/weigh-page.ts";
import { freePort } from "../tests/process/running-product.ts";
import type { BarePage } from "./bare-pages.ts";
import { compare, report, startBenchedProduct, whole } from "./measure.ts";

/** What pages weigh, how Lighthouse 13 judges them on a phone, and how fast they are served from memory. */

const readingPages = ["/", "/about", "/ServiceDelivery", "/GCPSecurity", "/privacy-policy"];
const judgedPages = ["/", "/estimator", "/login", "/blog/soc-tiers-explained", "/LogInjection", "/contact"];
const portalPages = {
  user: ["/user/dashboard", "/user/myquote", "/user/estimator", "/user/account-settings"],
  partner: ["/partner/dashboard", "/partner/listuser"],
  admin: ["/admin/dashboard", "/admin/partnerList", "/admin/estimateOrder", "/admin/rate-card", "/admin/audit"],
} as const;
const servedPages = [
  { path: "/", kind: "prerendered" },
  { path: "/about", kind: "prerendered" },
  { path: "/blog", kind: "rendered" },
  { path: "/blog/soc-tiers-explained", kind: "rendered" },
  { path: "/LogInjection", kind: "rendered" },
];
const asBrowsers = { "accept-encoding": "gzip, deflate, br, zstd" };
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

const benched = await startBenchedProduct();
await weigh();
await servePages();
await judge();
await benched.stop();

async function weigh(): Promise<void> {
  const browser = await launchBrowser();
  for (const path of [...readingPages, "/blog/soc-tiers-explained"]) {
    const { beforeBytes, scriptBytes } = await weighPage(browser, benched.product.url + path, true);
    const script = `script after it ${kilobytes(scriptBytes)} kB (aim 125)`;
    console.log(`weight     ${kilobytes(beforeBytes)} kB before the first interaction (aim 90), ${script}  ${path}`);
  }
  for (const path of ["/login", "/estimator"]) await weighScript(browser, path);
  const { database, tokenSecret, product } = benched;
  const books = { services: { database, env: { tokenSecret }, now: () => new Date() } };
  for (const role of ["user", "partner", "admin"] as const) {
    const session = signedIn(product, await member(books, role));
    for (const path of portalPages[role]) await weighScript(browser, path, session);
  }
  await browser.close();
}

/** Without charts: nothing has been sold here yet. */
async function weighScript(browser: Browser, path: string, options?: BrowserContextOptions): Promise<void> {
  const { scriptBytes } = await weighPage(browser, benched.product.url + path, false, options);
  console.log(`weight     ${kilobytes(scriptBytes)} kB of script (limit ${scriptBudget(path) / 1000})  ${path}`);
}

/** Pages from memory as browsers ask for them, against the same bytes and headers from a server that does nothing else. */
async function servePages(): Promise<void> {
  const pages = await Promise.all(servedPages.map(({ path }) => pageAsSent(path)));
  const bare = fork(fileURLToPath(new URL("bare-pages.ts", import.meta.url)));
  bare.send(pages);
  const [port] = await once(bare, "message");
  for (const { path, kind } of servedPages) {
    const { ratio, ours, baseline } = await compare(
      5,
      () => answersPerSecond(benched.product.url + path),
      () => answersPerSecond(`http://127.0.0.1:${port}${path}`),
    );
    const detail = `${whole(ours)} against ${whole(baseline)} a second, ${kind}  ${path}`;
    report("pages", ratio, "bare node:http", "0.50", detail);
  }
  bare.disconnect();
}

/** Its raw headers and its bytes, still compressed. */
async function pageAsSent(path: string): Promise<BarePage> {
  const [answer] = (await once(get(benched.product.url + path, { headers: asBrowsers }), "response")) as [
    IncomingMessage,
  ];
  const body = (await buffer(answer)).toString("base64");
  const ofConnection = /^(date|connection|keep-alive|transfer-encoding)$/i;
  const headers = answer.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && !ofConnection.test(name) ? [name, all[index + 1] ?? ""] : [],
  );
  return { path, headers, body };
}

async function answersPerSecond(url: string): Promise<number> {
  const { requests, non2xx } = await autocannon({ url, connections: 50, duration: 2, headers: asBrowsers });
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 200`);
  return requests.average;
}

async function judge(): Promise<void> {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  for (const path of judgedPages) {
    const result = await lighthouse(benched.product.url + path, {
      port,
      onlyCategories: [...categories],
      logLevel: "silent",
    });
    const report = result?.lhr;
    const scores = categories.map((name) => Math.round((report?.categories[name]?.score ?? 0) * 100)).join("/");
    const seconds = (report?.audits["largest-contentful-paint"]?.numericValue ?? Number.NaN) / 1000;
    const shift = report?.audits["cumulative-layout-shift"]?.displayValue;
    console.log(
      `lighthouse ${scores} (aim 98/100/100/100), LCP ${seconds.toFixed(2)} s (aim 1.5 s), layout shift ${shift} (aim 0)  ${path}`,
    );
    for (const name of categories)
      for (const { id, weight } of report?.categories[name]?.auditRefs ?? [])
        if (weight > 0 && name !== "performance" && (report?.audits[id]?.score ?? 1) < 1)
          console.log(`           missed: ${id}`);
  }
  await browser.close();
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
