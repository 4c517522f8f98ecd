import { Text } from "@mantine/core";
import type { TaxShown } from "../../contract/billing.ts";

/** In a sentence each, why these taxes and no others. */
export const TaxNotes = ({ tax }: { tax: TaxShown }) =>
  tax.notes.map((note) => (
    <Text key={note} fz="sm" c="var(--site-muted)">
      {note}
    </Text>
  ));
