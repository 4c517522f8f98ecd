import { findForPartner, findForProvider } from "../server/palette/find.ts";
import { listByRole } from "../server/people/queries.ts";
import { largePartnerId } from "../tests/fill-lists.ts";
import { insertProvider, scopeFor, withFilledLists } from "./filled-lists.ts";
import { compare, median, report, whole } from "./measure.ts";

/**
 * The command palette with as many customers, quotes, orders, invoices and leads each as the argument says (100,000
 * without one): a look by name, organisation, e-mail prefix or number, against the first page of all customers.
 */

const rows = Number(process.argv[2] ?? 100_000);
const aimMs = 50;
const rounds = 5;
/** Many have some of these words, few or none the others. */
const words = [
  ["kaveri", "asha 1", "textiles", "ka", "ganga"],
  ["asha 77f", "77123@", "7712", "0a1b2c", "no such thing", "zz"],
  ["Q-000077", `O-${rows - 5}`, "L-5", "12345", "SOC/26-27/000123"],
].flat();

await withFilledLists(rows, async (services) => {
  const all = await scopeFor(services, "admin/find", "admin", await insertProvider(services));
  const partners = await scopeFor(services, "partner/find", "partner", largePartnerId);
  await measure(
    "palette",
    (typed) => findForProvider(services, all, typed),
    () => listByRole(services, all, "user", { limit: 50 }),
  );
  await measure(
    "  partner",
    (typed) => findForPartner(services, partners, typed),
    () => listByRole(services, all, "user", { limit: 50 }),
  );
});

/** Prints the median look's milliseconds, over all words, as a ratio to the baseline's of the same run. */
async function measure(name: string, find: (typed: string) => Promise<object>, baseline: () => Promise<object>) {
  const slowest = new Map<string, number>();
  const { ratio, ...each } = await compare(
    rounds,
    async () => {
      const times: number[] = [];
      for (const typed of words) {
        const took = await timeOf(() => find(typed));
        slowest.set(typed, Math.max(took, slowest.get(typed) ?? 0));
        times.push(took);
      }
      return median(times);
    },
    async () => median(await repeat(words.length, () => timeOf(baseline))),
  );
  const worst = [...slowest].toSorted(([, one], [, other]) => other - one)[0];
  const detail = `${each.ours.toFixed(1)} ms (aim ${aimMs}) with ${whole(rows)} rows, slowest “${worst?.[0]}” ${worst?.[1].toFixed(0)} ms`;
  report(name, ratio, "a page of customers", `${aimMs} ms`, detail);
}

async function timeOf(ask: () => Promise<object>): Promise<number> {
  const started = performance.now();
  await ask();
  return performance.now() - started;
}

async function repeat(times: number, ask: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) taken.push(await ask());
  return taken;
}
