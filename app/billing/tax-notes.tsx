import { Text } from "@mantine/core";
import type { TaxShown } from "../../contract/billing.ts";

/** A sentence for each reason why these taxes apply. */
export const TaxNotes = ({ tax }: { tax: TaxShown }) =>
  tax.notes.map((note) => (
    <Text key={note} fz="sm" c="var(--site-muted)">
      {note}
    </Text>
  ));
