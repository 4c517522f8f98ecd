import { CompositeChart } from "@mantine/charts";
import { showMonth } from "../components/display.ts";
import { chartMargin, useMonthAxis } from "../reports/month-axis.ts";
import type { conversionOf, Month } from "./conversion.ts";
import "../styles-charts.css";

const percent = (share: number) => `${share}%`;
const axisWidths = { count: 36, percent: 52 };

/** Each month's leads: bars of counts, and the paid share as a line. A chunk of its own, loaded when first shown. */
export default function LeadChart({
  months,
  share,
  height,
}: {
  months: readonly Month[];
  /** Passed in, as the dashboard has it already: a shared chunk for it would be larger than the function. */
  share: typeof conversionOf;
  height: number;
}) {
  const { ref, xAxisProps } = useMonthAxis(axisWidths.count + axisWidths.percent);
  const data = months.map((month) => {
    const conversion = share(month);
    return {
      month: showMonth(month.month),
      orders: month.orders,
      leads: month.leads,
      conversion: conversion === null ? null : Math.round(conversion * 10) / 10,
    };
  });
  return (
    <div ref={ref}>
      <CompositeChart
        h={height}
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
        yAxisProps={{ allowDecimals: false, interval: 0, width: axisWidths.count }}
        rightYAxisProps={{ domain: [0, 100], interval: 0, tickFormatter: percent, width: axisWidths.percent }}
        xAxisProps={xAxisProps}
        maxBarWidth={16}
        tickLine="none"
        connectNulls={false}
        curveType="linear"
        barProps={{ radius: [4, 4, 0, 0], isAnimationActive: false }}
        lineProps={{ isAnimationActive: false }}
        composedChartProps={{ accessibilityLayer: false, margin: chartMargin }}
      />
    </div>
  );
}
