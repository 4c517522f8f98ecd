import { Box, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { coverageChartDays } from "../../contract/coverage-words.ts";
import type { CoverageDay } from "../../contract/coverage.ts";
import { formatCount } from "../../contract/format-count.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { showWrittenDay } from "../components/display.ts";
import { partIsGone, shownLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import classes from "../reports/month-figure.module.css";
import { Drawing, RoomOfDrawing } from "../reports/month-figure.tsx";
import { type CoverageOf, inputOf, readsBy } from "./coverage-readers.ts";

const height = 240;
const DaysChart = shownLater<{ days: readonly CoverageDay[]; height: number }>(
  () => import("./days-chart.tsx"),
  RoomOfDrawing,
);

const columns = [
  ["Contracted", "contracted"],
  ["Connected", "connected"],
  ["Silent", "silent"],
  ["Never", "neverConnected"],
  ["Not known", "unknown"],
  ["Missing", "missing"],
] as const;

/** The last ninety days, each as counted when it began: a chart, and the same figures as a table. */
export function CoverageDays({ of }: { of: CoverageOf }) {
  const name = readsBy[of.reader].days;
  const found = useQuery({
    queryKey: [name, inputOf(of)],
    queryFn: ({ signal }) => call(name, inputOf(of), signal),
  });
  const days = found.data?.days ?? [];
  const isKnown = days.some(({ contracted }) => contracted !== null);
  return (
    <PanelSection
      title={`The last ${coverageChartDays} days`}
      hint="As counted at the start of each day. A day that was not counted stays unknown."
      level={2}
      aside={
        isKnown && (
          <Button
            variant="default"
            className="screen-only"
            aria-label={`Export CSV: the last ${coverageChartDays} days`}
            onClick={() => void import("./coverage-files.ts").then((files) => files.saveDays(days), partIsGone)}
          >
            Export CSV
          </Button>
        )
      }
    >
      {found.isPending && <ListLoading rows={3} />}
      {found.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />}
      {found.data && !isKnown && (
        <Text c="var(--site-muted)">The first day is counted when the next one begins, at midnight.</Text>
      )}
      {isKnown && (
        <figure className={classes.figure}>
          <Drawing height={height}>
            <DaysChart days={days} height={height} />
          </Drawing>
          <details className={classes.details}>
            <summary>
              Show as a table<span className="visually-hidden">: the last {coverageChartDays} days</span>
            </summary>
            <Box style={{ overflowX: "auto" }} tabIndex={0} role="region" aria-label="Coverage by day">
              <DaysTable days={days} />
            </Box>
          </details>
        </figure>
      )}
    </PanelSection>
  );
}

const DaysTable = ({ days }: { days: readonly CoverageDay[] }) => (
  <table aria-label={`Coverage of the last ${coverageChartDays} days`}>
    <thead>
      <tr>
        <th scope="col">Day</th>
        {columns.map(([label]) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days.toReversed().map((day) => (
        <tr key={day.day}>
          <th scope="row">{showWrittenDay(day.day)}</th>
          {day.contracted === null ? (
            <td colSpan={columns.length}>not known</td>
          ) : (
            columns.map(([label, field]) => <td key={label}>{day[field] !== null && formatCount(day[field])}</td>)
          )}
        </tr>
      ))}
    </tbody>
  </table>
);
