import { BarChart } from "@mantine/charts";
import { formatRupees } from "../../contract/money.ts";
import "../styles-charts.css";

const compact = new Intl.NumberFormat("en-IN", { notation: "compact", maximumFractionDigits: 1 });
const shown = {
  orders: { label: "Orders", axis: (count: number) => String(count), value: (count: number) => String(count) },
  rupees: {
    label: "Value",
    axis: (rupees: number) => `₹${compact.format(rupees)}`,
    value: (rupees: number) => formatRupees(Math.round(rupees * 100)),
  },
} as const;

/** Bars by month; hidden from screen readers, for whom the same figures stand in a table. Loaded when first shown. */
export default function MonthChart({
  data,
  figure,
}: {
  data: { month: string; orders: number; rupees: number }[];
  figure: "orders" | "rupees";
}) {
  const { label, axis, value } = shown[figure];
  return (
    <div aria-hidden>
      <BarChart
        h={190}
        data={data}
        dataKey="month"
        series={[{ name: figure, label, color: "var(--site-accent)" }]}
        valueFormatter={value}
        yAxisProps={{ width: figure === "rupees" ? 64 : 36, allowDecimals: false, tickFormatter: axis }}
        xAxisProps={{ interval: "preserveStartEnd", minTickGap: 12 }}
        barProps={{ radius: [6, 6, 0, 0], isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
        maxBarWidth={28}
      />
    </div>
  );
}
