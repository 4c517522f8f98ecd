import { Button, Group } from "@mantine/core";
import type { PaymentsDue } from "../../contract/receivables.ts";
import { copyText } from "../components/copy-text.ts";

/** What a bank asks for of whom one transfers to, as facts. */
export const bankFacts = ({ accountName, accountNumber, ifsc, bankName }: NonNullable<PaymentsDue["bank"]>) =>
  [
    ["Account name", accountName],
    ["Account number", <ToCopy key="number" name="account number" text={accountNumber} />],
    ["IFSC", <ToCopy key="ifsc" name="IFSC" text={ifsc} />],
    ["Bank", bankName],
  ] as const;

/** What one has to give letter by letter somewhere else. */
export function ToCopy({ name, text }: { name: string; text: string }) {
  return (
    <Group gap={4}>
      <span className="tabular">{text}</span>
      <Button variant="subtle" size="compact-sm" aria-label={`Copy the ${name}`} onClick={() => void copyText(text)}>
        Copy
      </Button>
    </Group>
  );
}
