import { Text } from "@mantine/core";
import { useEffect, useState } from "react";

const lateAfterMs = 1000;

/** A sign of life for what takes longer than usual; its place is inside the region that is told of as loading. */
export function StillLoading() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), lateAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return late ? (
    <Text fz="sm" c="var(--site-muted)">
      This takes longer than usual. We are still loading …
    </Text>
  ) : null;
}
