import { useElementSize } from "@mantine/hooks";

/** Pixels that the name of a month needs beside the next. */
const monthWidth = 50;

/**
 * The axis of twelve months: each has its name, slanted where there is little room. `ref` belongs on the element
 * that the drawing fills; `besides` are the pixels that other axes take of it.
 */
export function useMonthAxis(besides: number) {
  const { ref, width } = useElementSize();
  const isSlanted = width > 0 && width - besides < 12 * monthWidth;
  const slanted = { angle: -50, textAnchor: "end" as const, height: 56, tickMargin: 6, dx: -4 };
  return { ref, xAxisProps: { interval: 0 as const, ...(isSlanted && slanted) } };
}

/** Room for half of the topmost number, and of the last month's name. */
export const chartMargin = { top: 10, right: 12 };
