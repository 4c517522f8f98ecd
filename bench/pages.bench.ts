import autocannon from "autocannon";
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { launchBrowser } from "../tests/launch-browser.ts";
import { member } from "../tests/people.ts";
import { signedIn } from "../tests/signed-in.ts";
import { weighPage } from "../tests/weigh-page.ts";
import { freePort } from "../server/database/postmaster.ts";
import type { BarePage } from "./bare-pages.ts";
import type { FigureName } from "./figures.ts";
import { compare, report, startBenchedProduct, tell, whole } from "./measure.ts";

/** The weight of pages, Lighthouse's scores on a phone, and how fast pages are served from memory. */

const readingPages = ["/", "/about", "/ServiceDelivery", "/GCPSecurity", "/privacy-policy"];
const judgedPages = ["/", "/estimator", "/login", "/blog/soc-tiers-explained", "/LogInjection", "/contact"];
const portalPages = {
  user: ["/user/dashboard", "/user/myquote", "/user/estimator", "/user/account-settings"],
  partner: ["/partner/dashboard", "/partner/listuser"],
  admin: ["/admin/dashboard", "/admin/partnerList", "/admin/estimateOrder", "/admin/rate-card", "/admin/audit"],
} as const;
type Kind = "prerendered" | "rendered";
const servedPages: { path: string; kind: Kind }[] = [
  { path: "/", kind: "prerendered" },
  { path: "/about", kind: "prerendered" },
  { path: "/blog", kind: "rendered" },
  { path: "/blog/soc-tiers-explained", kind: "rendered" },
  { path: "/LogInjection", kind: "rendered" },
];
const asBrowsers = { "accept-encoding": "gzip, deflate, br, zstd" };
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof categories)[number];

const run = promisify(execFile);

const benched = await startBenchedProduct();
try {
  await weigh();
  await servePages();
  await judgePages();
} finally {
  await benched.stop();
}

async function weigh(): Promise<void> {
  const browser = await launchBrowser();
  const before: Weight[] = [];
  const after: Weight[] = [];
  for (const path of [...readingPages, "/blog/soc-tiers-explained"]) {
    const { beforeBytes, scriptBytes } = await weighPage(browser, benched.product.url + path, true);
    before.push({ path, kilobytes: beforeBytes / 1000 });
    after.push({ path, kilobytes: scriptBytes / 1000 });
  }
  tellHeaviest("page weight", before);
  tellHeaviest("script after it", after);
  tellHeaviest("script, sign-in", [await weighScript(browser, "/login")]);
  const { database, tokenSecret, product } = benched;
  const books = { services: { database, env: { tokenSecret }, now: () => new Date() } };
  const portals: Weight[] = [];
  for (const role of ["user", "partner", "admin"] as const) {
    const session = signedIn(product, await member(books, role));
    for (const path of portalPages[role]) portals.push(await weighScript(browser, path, session));
  }
  tellHeaviest("script, portals", portals);
  await browser.close();
}

interface Weight {
  path: string;
  kilobytes: number;
}

/** Without charts, because nothing has been sold here yet. */
async function weighScript(browser: Browser, path: string, options?: BrowserContextOptions): Promise<Weight> {
  const { scriptBytes } = await weighPage(browser, benched.product.url + path, false, options);
  return { path, kilobytes: scriptBytes / 1000 };
}

function tellHeaviest(figure: FigureName, weights: Weight[]): void {
  const sorted = weights.toSorted((one, other) => other.kilobytes - one.kilobytes);
  const all = sorted.map(({ path, kilobytes }) => `${path} ${kilobytes.toFixed(0)}`);
  report(figure, sorted[0]?.kilobytes ?? Number.NaN, all.slice(0, 6).join(", "));
}

/**
 * Pages from memory as browsers request them, against the same bytes and headers from a server that does nothing else.
 */
async function servePages(): Promise<void> {
  const pages = await Promise.all(servedPages.map(({ path }) => pageAsSent(path)));
  const bare = fork(fileURLToPath(new URL("bare-pages.ts", import.meta.url)));
  bare.send(pages);
  const [port] = await once(bare, "message");
  const served: { kind: Kind; path: string; ratio: number; rates: string }[] = [];
  for (const { path, kind } of servedPages) {
    const { ratio, ours, baseline } = await compare(
      5,
      () => answersPerSecond(benched.product.url + path),
      () => answersPerSecond(`http://127.0.0.1:${port}${path}`),
    );
    served.push({ kind, path, ratio, rates: `${whole(ours)} against ${whole(baseline)} a second` });
  }
  bare.disconnect();
  for (const kind of ["prerendered", "rendered"] as const) {
    const sorted = served.filter((page) => page.kind === kind).toSorted((one, other) => one.ratio - other.ratio);
    const all = sorted.map(({ path, ratio, rates }) => `${path} ${ratio.toFixed(2)}: ${rates}`);
    report(`pages, ${kind}`, sorted[0]?.ratio ?? Number.NaN, all.join(", "));
  }
}

/** The page's raw headers and its bytes, still compressed. */
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

async function judgePages(): Promise<void> {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  const judged: Awaited<ReturnType<typeof judgePage>>[] = [];
  for (const path of judgedPages) judged.push(await judgePage(path, port));
  await browser.close();
  tellWorst("Lighthouse, speed", "lowest", judged, ({ scores }) => scores.performance);
  tellWorst("Lighthouse, the rest", "lowest", judged, ({ scores: { performance: _speed, ...rest } }) =>
    Math.min(...Object.values(rest)),
  );
  tellWorst("largest paint", "highest", judged, ({ seconds }) => seconds);
  tellWorst("layout shift", "highest", judged, ({ shift }) => shift);
}

async function judgePage(path: string, port: number) {
  const judged = await askLighthouse(benched.product.url + path, port);
  const scoreOf = (name: Category) => Math.round((judged.categories[name]?.score ?? Number.NaN) * 100);
  const scores = {
    performance: scoreOf("performance"),
    accessibility: scoreOf("accessibility"),
    practices: scoreOf("best-practices"),
    seo: scoreOf("seo"),
  };
  const valueOf = (audit: string) => judged.audits[audit]?.numericValue ?? Number.NaN;
  for (const name of categories)
    for (const { id, weight } of judged.categories[name]?.auditRefs ?? [])
      if (weight > 0 && name !== "performance" && (judged.audits[id]?.score ?? 1) < 1) tell(`${path} misses ${id}`);
  return {
    path,
    scores,
    seconds: valueOf("largest-contentful-paint") / 1000,
    shift: valueOf("cumulative-layout-shift"),
  };
}

interface Judged {
  categories: Partial<Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>>;
  audits: Partial<Record<string, { score: number | null; numericValue?: number }>>;
}

/** npm fetches Lighthouse on demand, because it brings more than a fifth of all packages that the tests need. */
async function askLighthouse(url: string, port: number): Promise<Judged> {
  const lighthouse = ["lighthouse", url, `--port=${port}`, `--only-categories=${categories.join()}`];
  const told = [...lighthouse, "--output=json", "--quiet", "--no-enable-error-reporting"];
  const { stdout } = await run("npm", ["exec", "--yes", "--package=lighthouse@12.8.2", "--", ...told], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Judged;
}

/** Reports the worst page's value; a page that could not be judged counts as the worst. */
function tellWorst<Judged extends { path: string }>(
  figure: FigureName,
  worst: "lowest" | "highest",
  judged: Judged[],
  valueOf: (page: Judged) => number,
): void {
  const rank = (value: number) => (Number.isNaN(value) ? -Infinity : worst === "lowest" ? value : -value);
  const sorted = judged.toSorted((one, other) => rank(valueOf(one)) - rank(valueOf(other)));
  const all = sorted.map((page) => `${page.path} ${Number(valueOf(page).toFixed(2))}`);
  report(figure, sorted[0] ? valueOf(sorted[0]) : Number.NaN, all.join(", "));
}
