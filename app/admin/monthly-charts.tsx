import { BarChart, CompositeChart } from "@mantine/charts";
import { paiseFrom } from "../../contract/money.ts";
import { showMonth, showRupees } from "../components/display.ts";
import { conversionOf, type Month } from "./conversion.ts";
import classes from "./monthly-figures.module.css";
import "../styles-charts.css";

const shortRupees = new Intl.NumberFormat("en-IN", {
  style: "currency",
  currency: "INR",
  notation: "compact",
  maximumFractionDigits: 1,
});
const rupeesExact = (rupees: number) => showRupees(rupees.toFixed(2));
const percent = (share: number) => `${share}%`;

/** Two drawings: what came in, and what became of the leads. */
export default function MonthlyCharts({ months }: { months: readonly Month[] }) {
  const data = months.map((month) => {
    const conversion = conversionOf(month);
    return {
      month: showMonth(month.month),
      revenue: paiseFrom(month.revenue) / 100,
      orders: month.orders,
      leads: month.leads,
      conversion: conversion === null ? null : Math.round(conversion * 10) / 10,
    };
  });
  return (
    <div className={classes.charts}>
      <figure>
        <figcaption>Revenue</figcaption>
        <BarChart
          h={280}
          data={data}
          dataKey="month"
          series={[{ name: "revenue", label: "Revenue", color: "brand.5" }]}
          valueFormatter={rupeesExact}
          yAxisProps={{ tickFormatter: (rupees: number) => shortRupees.format(rupees), width: 72 }}
          xAxisProps={{ interval: "preserveStartEnd", minTickGap: 8 }}
          maxBarWidth={36}
          tickLine="none"
          barProps={{ radius: [6, 6, 0, 0], isAnimationActive: false }}
        />
      </figure>
      <figure>
        <figcaption>Leads, orders and conversion</figcaption>
        <CompositeChart
          h={280}
          data={data}
          dataKey="month"
          withLegend
          legendProps={{ verticalAlign: "bottom" }}
          withRightYAxis
          series={[
            { name: "leads", label: "Leads", color: "brand.3", type: "bar" },
            { name: "orders", label: "Orders", color: "brand.6", type: "bar" },
            { name: "conversion", label: "Conversion in %", color: "orange.6", type: "line", yAxisId: "right" },
          ]}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          rightYAxisProps={{ domain: [0, 100], tickFormatter: percent, width: 60 }}
          xAxisProps={{ interval: "preserveStartEnd", minTickGap: 8 }}
          maxBarWidth={16}
          tickLine="none"
          connectNulls={false}
          curveType="linear"
          barProps={{ radius: [4, 4, 0, 0], isAnimationActive: false }}
          lineProps={{ isAnimationActive: false }}
        />
      </figure>
    </div>
  );
}
