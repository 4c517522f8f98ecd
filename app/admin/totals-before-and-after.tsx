import { Table } from "@mantine/core";
import { rupees } from "../../contract/money.ts";
import type { Total } from "../../contract/rates.ts";
import type { Totals } from "../../contract/totals.ts";
import { showRupees } from "../components/display.ts";

/** What the same devices come to twice, for one year: before and after a change of their rates. */
export function TotalsBeforeAndAfter({
  before,
  after,
  columns,
}: {
  before: Total;
  after: Total;
  columns: readonly [before: string, after: string];
}) {
  const rows: [name: string, before: string, after: string][] = [
    ["Devices", before.subtotal, after.subtotal],
    ...(before.discountPercent > 0 || after.discountPercent > 0
      ? [named("Volume discount", before.discountPercent, after.discountPercent, before.discount, after.discount)]
      : []),
    named("GST", before.gstPercent, after.gstPercent, before.gst, after.gst),
    ["Total a year", before.total, after.total],
  ];
  return (
    <Table maw={560} className="tabular" aria-live="polite">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Amount</Table.Th>
          {columns.map((column) => (
            <Table.Th key={column} scope="col" ta="end">
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, first, second], index) => (
          <Table.Tr key={name} fw={index === rows.length - 1 ? 650 : 400}>
            <Table.Th scope="row" fw="inherit">
              {name}
            </Table.Th>
            <Table.Td ta="end">{showRupees(first)}</Table.Td>
            <Table.Td ta="end">{showRupees(second)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** "GST 18%", or "GST 18%, then 5%". */
function named(name: string, from: number, to: number, before: string, after: string): [string, string, string] {
  return [from === to ? `${name} ${to}%` : `${name} ${from}%, then ${to}%`, before, after];
}

/** Totals as the wire has them: rupees and per cent. */
export const totalOf = (totals: Totals): Total => ({
  subtotal: rupees(totals.subtotalPaise),
  discountPercent: totals.discountBasisPoints / 100,
  discount: rupees(totals.discountPaise),
  gstPercent: totals.gstBasisPoints / 100,
  gst: rupees(totals.gstPaise),
  total: rupees(totals.totalPaise),
});
