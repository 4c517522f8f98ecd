/** Shown for what takes longer than a second (the style sheet delays it); place it in a live region. */
export const StillLoading = () => <p className="still-loading">This takes longer than usual. We are still loading …</p>;

/** The same with a live region of its own, for a part that has no place on the page yet. */
export const UnderWay = () => (
  <div role="status" className="under-way">
    <StillLoading />
  </div>
);
