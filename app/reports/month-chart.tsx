import { BarChart } from "@mantine/charts";
import { formatRupees } from "../../contract/money.ts";
import { chartMargin, useMonthAxis } from "./month-axis.ts";
import "../styles-charts.css";

const compact = new Intl.NumberFormat("en-IN", { notation: "compact", maximumFractionDigits: 1 });
const shown = {
  orders: { axisWidth: 36, axis: (count: number) => String(count), value: (count: number) => String(count) },
  rupees: {
    axisWidth: 64,
    axis: (rupees: number) => `₹${compact.format(rupees)}`,
    value: (rupees: number) => formatRupees(Math.round(rupees * 100)),
  },
} as const;

/** Bars by month, of orders or of rupees. Loaded when first shown. */
export default function MonthChart({
  data,
  figure,
  label,
  height,
}: {
  data: { month: string; figure: number }[];
  figure: keyof typeof shown;
  label: string;
  /** In pixels. */
  height: number;
}) {
  const { axisWidth, axis, value } = shown[figure];
  const { ref, xAxisProps } = useMonthAxis(axisWidth);
  return (
    <div ref={ref}>
      <BarChart
        h={height}
        data={data}
        dataKey="month"
        series={[{ name: "figure", label, color: "var(--site-accent)" }]}
        valueFormatter={value}
        tickLine="none"
        yAxisProps={{ width: axisWidth, allowDecimals: false, interval: 0, tickFormatter: axis }}
        xAxisProps={xAxisProps}
        barProps={{ radius: [6, 6, 0, 0], isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false, margin: chartMargin }}
        maxBarWidth={28}
      />
    </div>
  );
}
