import autocannon from "autocannon";
import lighthouse from "lighthouse";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { launchBrowser } from "../tests/browser.ts";
import { weighPage } from "../tests/weigh-page.ts";
import { freePort } from "../tests/process/running-product.ts";
import { compare, report, startBenchedProduct, whole } from "./measure.ts";

/** What pages weigh, how Lighthouse 13 judges them on a phone, and how fast a kept page is served. */

const readingPages = ["/", "/about", "/ServiceDelivery", "/GCPSecurity", "/privacy-policy"];
const judgedPages = ["/", "/estimator", "/blog/soc-tiers-explained", "/LogInjection", "/contact"];
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

const benched = await startBenchedProduct();
await weigh();
await serveKeptPage();
await judge();
await benched.stop();

async function weigh(): Promise<void> {
  const browser = await launchBrowser();
  for (const path of [...readingPages, "/blog/soc-tiers-explained"]) {
    const { beforeBytes, scriptBytes } = await weighPage(browser, benched.product.url + path, true);
    const script = `script after it ${kilobytes(scriptBytes)} kB (aim 125)`;
    console.log(`weight     ${kilobytes(beforeBytes)} kB before the first interaction (aim 90), ${script}  ${path}`);
  }
  const { scriptBytes } = await weighPage(browser, `${benched.product.url}/estimator`, false);
  console.log(`weight     ${kilobytes(scriptBytes)} kB of script (aim 170)  /estimator`);
  await browser.close();
}

/** The same bytes, with the same headers, from a server that does nothing else. */
async function serveKeptPage(): Promise<void> {
  const answer = await fetch(benched.product.url, { headers: { "accept-encoding": "identity" } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const headers = Object.fromEntries(answer.headers);
  const bare = createServer((_request, response) => response.writeHead(200, headers).end(bytes));
  await new Promise<void>((listening) => bare.listen(0, "127.0.0.1", listening));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
  const { ratio, ours, baseline } = await compare(
    3,
    () => answersPerSecond(benched.product.url),
    () => answersPerSecond(bareUrl),
  );
  bare.close();
  report("pages", ratio, "bare node:http", "0.33", `${whole(ours)} against ${whole(baseline)} home pages a second`);
}

async function answersPerSecond(url: string): Promise<number> {
  const { requests, non2xx } = await autocannon({ url, connections: 50, duration: 3 });
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
