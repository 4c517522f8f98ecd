import { Button } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect, useRef } from "react";

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
  const end = entry?.isIntersecting ? entry.target : null;
  // While a button loads it has no focus that would show that its reader works by keys.
  const isAsked = useRef(false);
  useEffect(() => {
    if (!end) isAsked.current = false;
    else if (!loading && !failed && !isAsked.current && !isPassedByKeys(end)) onMore();
  }, [end, loading, failed, onMore]);
  const ask = () => {
    isAsked.current = true;
    onMore();
  };
  return (
    <div ref={ref}>
      <Button variant="default" size="md" loading={loading} onClick={ask}>
        {label}
      </Button>
    </div>
  );
}

/** Whether somebody who works by keys is at the button or below it: rows that came unasked would push it out of sight. */
function isPassedByKeys(end: Element): boolean {
  const at = document.querySelector(":focus-visible");
  return at !== null && (end.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
}
