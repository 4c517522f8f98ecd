import { Button } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";

/** The next page of an endless list: fetched as its end comes near, or by the button; after a failure only by that. */
export function MoreOnScroll({
  label,
  loading,
  failed,
  onMore,
}: {
  label: string;
  loading: boolean;
  failed: boolean;
  onMore: () => void;
}) {
  // Extends far upwards, too: the End key jumps past the button to the foot of the page.
  const { ref, entry } = useIntersection({ rootMargin: "100000px 0px 200px" });
  const isNear = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (isNear && !loading && !failed) onMore();
  }, [isNear, loading, failed, onMore]);
  return (
    <div ref={ref}>
      <Button variant="default" size="md" loading={loading} onClick={onMore}>
        {label}
      </Button>
    </div>
  );
}
