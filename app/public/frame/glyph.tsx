/** A line drawing of 22 by 22 units beside a word. */
export function Glyph({ d }: { d: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 22 22" aria-hidden="true" focusable="false">
      <path d={d} fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
