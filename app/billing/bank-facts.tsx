import { Button, Group } from "@mantine/core";
import type { PaymentsDue } from "../../contract/receivables.ts";
import { copyText } from "../components/copy-text.ts";

/** The recipient's bank details that a transfer form asks for, as facts. */
export const bankFacts = ({ accountName, accountNumber, ifsc, bankName }: NonNullable<PaymentsDue["bank"]>) =>
  [
    ["Account name", accountName],
    ["Account number", <ToCopy key="number" name="account number" text={accountNumber} />],
    ["IFSC", <ToCopy key="ifsc" name="IFSC" text={ifsc} />],
    ["Bank", bankName],
  ] as const;

/** A text with a button that copies it, for what has to be entered exactly elsewhere. */
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
