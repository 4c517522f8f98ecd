import { rupees } from "../../contract/money.ts";
import type { Total } from "../../contract/rates.ts";
import type { Totals } from "../../contract/totals.ts";
import { showRupees } from "../components/display.ts";
import classes from "./totals-before-and-after.module.css";

/** The price of the same devices before and after a change of rates, for one year unless `total` says otherwise. */
export function TotalsBeforeAndAfter({
  before,
  after,
  columns,
  total = "Total a year",
}: {
  before: Total;
  after: Total;
  columns: readonly [before: string, after: string];
  total?: string;
}) {
  const rows: [name: string, before: string, after: string][] = [
    ["Devices", before.subtotal, after.subtotal],
    ...(before.discountPercent > 0 || after.discountPercent > 0
      ? [named("Volume discount", before.discountPercent, after.discountPercent, before.discount, after.discount)]
      : []),
    named("GST", before.gstPercent, after.gstPercent, before.gst, after.gst),
    [total, before.total, after.total],
  ];
  return (
    <table className={`tabular ${classes.totals}`} aria-live="polite">
      <thead>
        <tr>
          <th scope="col">Amount</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, first, second]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{showRupees(first)}</td>
            <td>{showRupees(second)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A row's label and values; the label is "GST 18%", or "GST 18%, then 5%". */
function named(name: string, from: number, to: number, before: string, after: string): [string, string, string] {
  return [from === to ? `${name} ${to}%` : `${name} ${from}%, then ${to}%`, before, after];
}

/** Totals as the API has them: rupees and per cent. */
export const totalOf = (totals: Totals): Total => ({
  subtotal: rupees(totals.subtotalPaise),
  discountPercent: totals.discountBasisPoints / 100,
  discount: rupees(totals.discountPaise),
  gstPercent: totals.gstBasisPoints / 100,
  gst: rupees(totals.gstPaise),
  total: rupees(totals.totalPaise),
});
