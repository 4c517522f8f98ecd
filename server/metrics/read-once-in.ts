/** The same answer for so long; null where reading failed: who asks tells what it can, most of all then. */
export function readOnceIn<Result>(milliseconds: number, read: () => Promise<Result>): () => Promise<Result | null> {
  let kept: { result: Promise<Result | null>; at: number } | null = null;
  return () => {
    if (!kept || performance.now() - kept.at > milliseconds)
      kept = { result: read().catch(() => null), at: performance.now() };
    return kept.result;
  };
}
