import { useElementSize } from "@mantine/hooks";

/** The pixels that a month's name needs beside the next one. */
const monthWidth = 50;

/**
 * The axis of twelve months, with every name shown, slanted if space is short. `ref` belongs on the element that the
 * chart fills; `besides` is the width in pixels that its other axes take.
 */
export function useMonthAxis(besides: number) {
  const { ref, width } = useElementSize();
  const isSlanted = width > 0 && width - besides < 12 * monthWidth;
  const slanted = { angle: -50, textAnchor: "end" as const, height: 56, tickMargin: 6, dx: -4 };
  return { ref, xAxisProps: { interval: 0 as const, ...(isSlanted && slanted) } };
}

/** Space for half of the topmost number, and of the last month's name. */
export const chartMargin = { top: 10, right: 12 };
