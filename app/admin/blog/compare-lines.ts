interface Line {
  line: string;
  is: "same" | "gone" | "added";
}

/** The largest number of line pairs to compare; above it nobody would read the result line by line. */
const pairsMax = 4_000_000;

/** Line diff of two texts: keeps their longest common subsequence, with removed and added lines around it. */
export function compareLines(before: string, after: string): Line[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  if (old.length * now.length > pairsMax)
    return [
      ...old.map((line) => ({ line, is: "gone" as const })),
      ...now.map((line) => ({ line, is: "added" as const })),
    ];
  // Length of the longest common subsequence from each pair of positions to the ends.
  const width = now.length + 1;
  const equal = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--) {
      const at = i * width + j;
      equal[at] =
        old[i] === now[j] ? (equal[at + width + 1] ?? 0) + 1 : Math.max(equal[at + width] ?? 0, equal[at + 1] ?? 0);
    }
  const lines: Line[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    const at = i * width + j;
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ line: old[i] ?? "", is: "same" });
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && (equal[at + width] ?? 0) >= (equal[at + 1] ?? 0)))
      lines.push({ line: old[i++] ?? "", is: "gone" });
    else lines.push({ line: now[j++] ?? "", is: "added" });
  }
  return lines;
}
