import { findForPartner, findForProvider } from "../server/palette/find.ts";
import { listByRole } from "../server/people/queries.ts";
import { largePartnerId } from "../tests/fill-lists.ts";
import { insertProvider, scopeFor, withFilledLists } from "./filled-lists.ts";
import type { FigureName } from "./figures.ts";
import { compare, median, option, report, timeOf, whole } from "./measure.ts";

/**
 * The command palette with `--rows=` (100,000 by default) customers, quotes, orders, invoices and leads each: a search
 * by name, organisation, e-mail prefix or number, against the first page of all customers.
 */

const rows = option("rows", 100_000);
const rounds = 5;
/** Some of these words match many rows, the others few or none. */
const words = [
  ["kaveri", "asha 1", "textiles", "ka", "ganga"],
  ["asha 77f", "77123@", "7712", "0a1b2c", "no such thing", "zz"],
  ["Q-000077", `O-${rows - 5}`, "L-5", "12345", "SOC/26-27/000123"],
].flat();

await withFilledLists(rows, async (services) => {
  const all = await scopeFor(services, "admin/find", "admin", await insertProvider(services));
  const partners = await scopeFor(services, "partner/find", "partner", largePartnerId);
  await measure(
    "palette, provider's",
    (typed) => findForProvider(services, all, typed),
    () => listByRole(services, all, "user", { limit: 50 }),
  );
  await measure(
    "palette, partner's",
    (typed) => findForPartner(services, partners, typed),
    () => listByRole(services, all, "user", { limit: 50 }),
  );
});

/** Reports the slowest word, by its median. */
async function measure(name: FigureName, find: (typed: string) => Promise<object>, baseline: () => Promise<object>) {
  const timesOf = new Map<string, number[]>();
  const { ratio, ...each } = await compare(
    rounds,
    async () => {
      const times: number[] = [];
      for (const typed of words) {
        const took = await timeOf(() => find(typed));
        timesOf.set(typed, [...(timesOf.get(typed) ?? []), took]);
        times.push(took);
      }
      return median(times);
    },
    async () => median(await repeat(words.length, () => timeOf(baseline))),
  );
  const [[typed, times] = ["", []]] = [...timesOf].toSorted(([, one], [, other]) => median(other) - median(one));
  const middle = `all ${each.ours.toFixed(1)} ms in the middle, ${ratio.toFixed(2)} of a page of customers`;
  report(name, median(times), `“${typed}” among ${whole(rows)} rows; ${middle}`);
}

async function repeat(times: number, ask: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) taken.push(await ask());
  return taken;
}
