import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { fontPaths } from "../server/outside/documents/fonts.ts";
import { startDocuments } from "../server/outside/documents/start-documents.ts";
import { priceDevices } from "../server/rates/pricing.ts";
import { proposalData } from "../server/quotes/proposal.ts";
import { sampleCard } from "../server/rates/rate-card.ts";
import { quoteRow } from "../tests/quote-row.ts";
import { compare, report } from "./measure.ts";

/**
 * A proposal from quote to PDF through the product, against a bare Typst compile, and how long it blocks the event
 * loop.
 */

const rounds = 15;
const perRound = 4;

const card = { ...sampleCard(), tiers: [{ fromDevices: 50, discountBasisPoints: 500 }] };
let serial = 0;
const devices = card.rates
  .filter(({ deviceType }) => deviceType !== "*")
  .map(({ service, deviceType }, index) => ({ service, deviceType, number: index + 1 }));
const priced = priceDevices(card, devices);

const server = fileURLToPath(new URL("../server/", import.meta.url));
const compiler = NodeCompiler.create({ workspace: server, fontArgs: [{ fontPaths }] });
const documents = startDocuments();

try {
  await documents.render("proposal", nextProposal());
  const { ratio, ...each } = await compare(rounds, throughTheProduct, bare);
  report("proposal", ratio, `${each.ours.toFixed(1)} ms against ${each.baseline.toFixed(1)} ms`);
  const [p99 = Number.NaN, max = Number.NaN] = await holdsOfTheLoop();
  report("proposal, loop", p99, `${max.toFixed(1)} ms at the most`);
} finally {
  await documents.close();
}

/** Milliseconds per document; the data differ each time, so that no cache can answer. */
async function throughTheProduct(): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < perRound; count++) await documents.render("proposal", nextProposal());
  const tookMs = performance.now() - started;
  return tookMs / perRound;
}

/** Milliseconds for which the event loop was blocked while documents were made: 99th percentile and maximum. */
async function holdsOfTheLoop() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let round = 0; round < rounds; round++) await throughTheProduct();
  delay.disable();
  // The delay is measured from one tick to the next, so even an idle loop shows the resolution of 1 ms.
  return [delay.percentile(99) / 1e6, delay.max / 1e6];
}

async function bare(): Promise<number> {
  const inputs = Array.from({ length: perRound }, () => ({ data: JSON.stringify(nextProposal()) }));
  const started = performance.now();
  for (const input of inputs) {
    compiler.pdf({ mainFilePath: `${server}quotes/proposal.typ`, inputs: input }, { pdfStandard: "ua-1" });
    compiler.evictCache(10);
  }
  return (performance.now() - started) / perRound;
}

function nextProposal() {
  serial++;
  return proposalData(quoteRow(priced, { serial, organizationName: `Kaveri Textiles ${serial}` }));
}
