import { BarChart } from "@mantine/charts";
import type { CoverageDay } from "../../contract/coverage.ts";
import { showWrittenDay } from "../components/display.ts";
import { chartMargin } from "../reports/month-axis.ts";
import "../styles-charts.css";

const series = [
  { name: "connected", label: "Connected", color: "var(--coverage-connected)" },
  { name: "silent", label: "Silent", color: "var(--coverage-silent)" },
  { name: "neverConnected", label: "Never connected", color: "var(--coverage-absent)" },
  { name: "unknown", label: "Not known", color: "var(--coverage-unknown)" },
  { name: "missing", label: "Missing", color: "var(--coverage-missing)" },
];

/** A bar for each day, as high as what was contracted; a day without data has none. Loaded when first shown. */
export default function DaysChart({ days, height }: { days: readonly CoverageDay[]; height: number }) {
  return (
    <BarChart
      h={height}
      type="stacked"
      data={days.map(({ day, lines: _lines, ...counts }) => ({
        ...counts,
        day: showWrittenDay(day),
      }))}
      dataKey="day"
      series={series}
      withLegend
      tickLine="none"
      yAxisProps={{ width: 44, allowDecimals: false }}
      xAxisProps={{ minTickGap: 40 }}
      barProps={{ isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false, margin: chartMargin, barCategoryGap: 0 }}
    />
  );
}
