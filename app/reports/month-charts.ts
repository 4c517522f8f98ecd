import { shownLater } from "../components/later.tsx";
import { RoomOfDrawing } from "./month-figure.tsx";

/** Bars by month. The library that draws them is larger than the rest of a screen: the figures do not wait for it. */
export const MonthChart = shownLater(() => import("./month-chart.tsx"), RoomOfDrawing);
