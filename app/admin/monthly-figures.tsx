import { formatCount } from "../../contract/format-count.ts";
import { showMonth, showRupees } from "../components/display.ts";
import { shownLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { MonthChart } from "../reports/month-charts.ts";
import { type MonthColumn, MonthFigure, RoomOfDrawing } from "../reports/month-figure.tsx";
import { conversionOf, type Month } from "./conversion.ts";
import classes from "./monthly-figures.module.css";

const LeadChart = shownLater(() => import("./lead-chart.tsx"), RoomOfDrawing);

const height = 280;
const revenueColumns: readonly MonthColumn<Month>[] = [
  { label: "Revenue", cell: (month) => showRupees(month.revenue) },
  { label: "Orders", cell: (month) => formatCount(month.orders) },
];
const leadColumns: readonly MonthColumn<Month>[] = [
  { label: "Leads", cell: (month) => formatCount(month.leads) },
  { label: "Orders", cell: (month) => formatCount(month.orders) },
  { label: "Paid leads", cell: (month) => formatCount(month.converted) },
  { label: "Conversion", cell: (month) => conversionOf(month)?.toFixed(1).concat("%") ?? "–" },
];

/** Revenue, orders, leads and conversion by month, as charts and as tables. */
export function MonthlyFigures({ months }: { months: readonly Month[] }) {
  const quiet = months.every(({ orders, leads }) => orders === 0 && leads === 0);
  const revenue = months.map((month) => ({ month: showMonth(month.month), figure: Number(month.revenue) }));
  return (
    <PanelSection level={2} title="By month" hint="The last twelve months. A lead counts in the month it came in.">
      {quiet ? (
        <p className={classes.quiet}>
          Nothing has been sold or estimated in the last twelve months. The charts begin with the first lead.
        </p>
      ) : (
        <div className={classes.charts}>
          <MonthFigure title="Revenue" months={months} columns={revenueColumns} height={height}>
            <MonthChart data={revenue} figure="rupees" label="Revenue" height={height} />
          </MonthFigure>
          <MonthFigure title="Leads, orders and conversion" months={months} columns={leadColumns} height={height}>
            <LeadChart months={months} share={conversionOf} height={height} />
          </MonthFigure>
        </div>
      )}
    </PanelSection>
  );
}
