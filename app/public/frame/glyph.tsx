/** A line drawing on a 22 by 22 grid, to stand beside a word. */
export function Glyph({ d }: { d: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 22 22" aria-hidden="true" focusable="false">
      <path d={d} fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
