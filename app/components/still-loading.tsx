/** A sign of life for what takes longer than a second, as the style sheet has it; its place is a region that is told of. */
export const StillLoading = () => <p className="still-loading">This takes longer than usual. We are still loading …</p>;

/** The same for a part that has no place on the page yet. */
export const UnderWay = () => (
  <div role="status" className="under-way">
    <StillLoading />
  </div>
);
