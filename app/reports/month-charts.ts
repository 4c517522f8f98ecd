import { shownLater } from "../components/later.tsx";
import { RoomOfDrawing } from "./month-figure.tsx";

/** Bars by month. The chart library is larger than the rest of a screen, so the figures do not wait for it. */
export const MonthChart = shownLater(() => import("./month-chart.tsx"), RoomOfDrawing);
