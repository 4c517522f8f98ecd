import type { RegulatorClock } from "../../contract/obligations.ts";
import { PanelSection } from "../components/panel-section.tsx";
import type { Column } from "../lists/column.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ClockState } from "./clock-words.tsx";
import { ReportCell } from "./report-cell.tsx";
import classes from "./obligations.module.css";

/** Clocks that do not run, each with the reason: a given fact, or a date. */
export function RuledOut({ clocks }: { clocks: readonly RegulatorClock[] }) {
  if (clocks.length === 0) return null;
  return (
    <PanelSection
      title="Ruled out, or not in force"
      level={2}
      bare
      hint="Each by what somebody said, or by the day. Change what was said, and it counts again."
    >
      <details>
        <summary className={classes.summary}>
          {clocks.length} {clocks.length === 1 ? "obligation" : "obligations"}, with why
        </summary>
        <DataTable
          caption="Obligations that are ruled out or not in force"
          columns={columns}
          rows={clocks.map((clock) => ({ ...clock, id: clock.key }))}
        />
      </details>
    </PanelSection>
  );
}

const columns: readonly Column<RegulatorClock & { id: string }>[] = [
  { label: "Report", cell: ReportCell },
  { label: "Why", cell: ({ why }) => why },
  { label: "State", cell: ({ state }) => <ClockState state={state} /> },
];
