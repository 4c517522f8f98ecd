import { Skeleton, Table } from "@mantine/core";
import { lazy, Suspense } from "react";
import { showMonth, showRupees } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { conversionOf, type Month } from "./conversion.ts";
import classes from "./monthly-figures.module.css";

// The drawing library is large: it is fetched when there is something to draw.
const MonthlyCharts = lazy(() => import("./monthly-charts.tsx"));

/** Revenue, orders, leads and conversion by month: drawn, and as a table for those who want the numbers. */
export function MonthlyFigures({ months }: { months: readonly Month[] }) {
  const quiet = months.every(({ orders, leads }) => orders === 0 && leads === 0);
  return (
    <PanelSection level={2} title="By month" hint="The last twelve months. A lead counts in the month it came in.">
      {quiet ? (
        <p className={classes.quiet}>
          Nothing has been sold or estimated in the last twelve months. The charts begin with the first lead.
        </p>
      ) : (
        <>
          <Suspense fallback={<Skeleton h={300} radius="md" />}>
            <MonthlyCharts months={months} />
          </Suspense>
          <details className={classes.details}>
            <summary>Show the figures as a table</summary>
            <FiguresTable months={months} />
          </details>
        </>
      )}
    </PanelSection>
  );
}

function FiguresTable({ months }: { months: readonly Month[] }) {
  return (
    <div className={classes.scroll} role="region" aria-label="Figures by month" tabIndex={0}>
      <Table fz="sm" className="tabular" aria-label="Figures by month">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Month</Table.Th>
            {["Revenue", "Orders", "Leads", "Paid leads", "Conversion"].map((label) => (
              <Table.Th key={label} scope="col" ta="end">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.toReversed().map((month) => (
            <Table.Tr key={month.month}>
              <Table.Th scope="row" fw={550}>
                {showMonth(month.month)}
              </Table.Th>
              <Table.Td ta="end">{showRupees(month.revenue)}</Table.Td>
              <Table.Td ta="end">{month.orders.toLocaleString("en-IN")}</Table.Td>
              <Table.Td ta="end">{month.leads.toLocaleString("en-IN")}</Table.Td>
              <Table.Td ta="end">{month.converted.toLocaleString("en-IN")}</Table.Td>
              <Table.Td ta="end">{conversionOf(month)?.toFixed(1).concat("%") ?? "–"}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
