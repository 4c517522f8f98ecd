import { Table } from "@mantine/core";
import { rupees } from "../../contract/money.ts";
import type { Price } from "../../contract/quotes.ts";
import type { Totals } from "../../contract/totals.ts";
import { showRupees } from "../components/display.ts";

/** What a quote came to when it was proposed, and what it comes to at the rates typed. */
export function TotalsBeforeAndAfter({ price, after }: { price: Price; after: Totals }) {
  const rows: [name: string, before: string, after: number][] = [
    ["Devices", price.subtotal, after.subtotalPaise],
    ...(price.discountPercent > 0
      ? ([[`Volume discount ${price.discountPercent}%`, price.discount, after.discountPaise]] as [
          string,
          string,
          number,
        ][])
      : []),
    [`GST ${price.gstPercent}%`, price.gst, after.gstPaise],
    ["Total a year", price.total, after.totalPaise],
  ];
  return (
    <Table maw={560} className="tabular" aria-live="polite">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Amount</Table.Th>
          <Table.Th scope="col" ta="end">
            As proposed
          </Table.Th>
          <Table.Th scope="col" ta="end">
            At these rates
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, before, now], index) => (
          <Table.Tr key={name} fw={index === rows.length - 1 ? 650 : 400}>
            <Table.Th scope="row" fw="inherit">
              {name}
            </Table.Th>
            <Table.Td ta="end">{showRupees(before)}</Table.Td>
            <Table.Td ta="end">{showRupees(rupees(now))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
