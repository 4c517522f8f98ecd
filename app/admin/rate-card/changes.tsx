import { Text } from "@mantine/core";
import classes from "./rate-card.module.css";

/** What a card changes against the one before. */
export function Changes({ changes }: { changes: readonly string[] }) {
  if (changes.length === 0) return <Text c="var(--site-muted)">No difference from the card before.</Text>;
  return (
    <ul className={classes.changes}>
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}
