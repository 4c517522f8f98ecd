/** Caches a read for this long; null where it failed, so that a scrape during an outage still reports the rest. */
export function readOnceIn<Result>(milliseconds: number, read: () => Promise<Result>): () => Promise<Result | null> {
  let kept: { result: Promise<Result | null>; at: number } | null = null;
  return () => {
    if (!kept || performance.now() - kept.at > milliseconds)
      kept = { result: read().catch(() => null), at: performance.now() };
    return kept.result;
  };
}
