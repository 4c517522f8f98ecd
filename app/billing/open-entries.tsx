import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Certificate, Transfer } from "../../contract/receivables.ts";
import { showDay, showRupees } from "../components/display.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import { Amount, WholeNumbers } from "../components/unbroken.tsx";

/** Opens one of the entry's files. */
export type View = (fileName: string | null, title: string) => void;

/** One entry of a list: its text at the left, its actions at the right. */
export function Entry({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <Group
      component="li"
      justify="space-between"
      gap="sm"
      py="sm"
      style={{ borderTop: "1px solid var(--site-border)", listStyle: "none" }}
    >
      <div style={{ flex: "1 1 240px", minWidth: 0, overflowWrap: "anywhere" }}>{children}</div>
      <Group gap="xs">{actions}</Group>
    </Group>
  );
}

/** A list of entries with an accessible name. */
export const Entries = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} style={{ margin: 0, padding: 0 }}>
    {children}
  </ul>
);

export const Muted = ({ children }: { children: ReactNode }) => (
  <Text fz="sm" c="var(--site-muted)">
    {children}
  </Text>
);

const certificateStates: Record<Certificate["state"], { text: string; tone: Tone }> = {
  awaited: { text: "Awaited", tone: "warning" },
  uploaded: { text: "Being compared", tone: "info" },
  matched: { text: "Matched", tone: "good" },
  refused: { text: "Refused", tone: "bad" },
};

const notAwaited = { text: "Not awaited", tone: "neutral" } as const;

/** A claim with its certificate, as customers and administrators see it. */
export function CertificateEntry({
  certificate,
  view,
  actions,
  who,
}: {
  certificate: Certificate;
  view: View;
  actions?: ReactNode;
  who?: string;
}) {
  const {
    state,
    amount,
    section,
    percent,
    invoice_number,
    order_number,
    number,
    quarter,
    certified,
    refusal,
    pdf_url,
    is_cancelled,
    owed_again_since,
    owed_again_because,
  } = certificate;
  const shown = (is_cancelled || percent === 0) && state === "awaited" ? notAwaited : certificateStates[state];
  return (
    <Entry
      actions={
        <>
          {pdf_url && (
            <Button
              variant="default"
              aria-label={`View certificate ${number ?? ""}`}
              onClick={() => view(pdf_url, `Certificate ${number ?? ""}`)}
            >
              View
            </Button>
          )}
          {actions}
        </>
      }
    >
      <Text fw={650}>
        <Amount rupees={amount} /> under section {section}
        {percent === 0 ? ", not deducted" : `, ${percent}%`}
      </Text>
      <Muted>
        {who && <bdi>{who}, </bdi>}
        <WholeNumbers text={`${order_number}, invoice ${invoice_number}`} />
        {number && `. Certificate ${number}, ${quarter ?? ""}, ${certified ? showRupees(certified) : ""}`}
      </Muted>
      <StateBadge tone={shown.tone}>{shown.text}</StateBadge>
      {is_cancelled && (
        <Text fz="sm">
          Its invoice was cancelled: nothing of it is owed, and no certificate is awaited. One that comes all the same
          counts as a credit once it is matched.
        </Text>
      )}
      {refusal && <Text fz="sm">Why: {refusal}</Text>}
      {owed_again_since && (
        <Text fz="sm">
          {state === "matched" ? "Was owed again from" : "Owed again since"} {showDay(owed_again_since)}:{" "}
          {owed_again_because}
        </Text>
      )}
    </Entry>
  );
}

const transferStates: Record<Transfer["state"], { text: string; tone: Tone }> = {
  announced: { text: "Announced", tone: "neutral" },
  seen: { text: "Not matched yet", tone: "warning" },
  matched: { text: "Matched", tone: "good" },
  partly_matched: { text: "More than was to be paid", tone: "warning" },
  set_aside: { text: "Not from a customer", tone: "neutral" },
};

/** A transfer, as customers and administrators see it. */
export function TransferEntry({ transfer, view, actions }: { transfer: Transfer; view: View; actions?: ReactNode }) {
  const { state, amount, utr, received_on, payer, narration, order_number, receipt_number, receipt_url } = transfer;
  const { refund_vouchers, excess, excess_here, moved, aside_because } = transfer;
  const shown = transferStates[excess_here === "0.00" && state === "partly_matched" ? "matched" : state];
  return (
    <Entry
      actions={
        <>
          {receipt_url && (
            <Button
              variant="default"
              aria-label={`View receipt ${receipt_number ?? ""}`}
              onClick={() => view(receipt_url, `Receipt ${receipt_number ?? ""}`)}
            >
              {receipt_number}
            </Button>
          )}
          {refund_vouchers.map(({ number, pdf_url }) =>
            pdf_url ? (
              <Button
                key={number}
                variant="default"
                aria-label={`View refund voucher ${number}`}
                onClick={() => view(pdf_url, `Refund voucher ${number}`)}
              >
                {number}
              </Button>
            ) : null,
          )}
          {actions}
        </>
      }
    >
      <Text fw={650}>
        <Amount rupees={amount} /> on {showDay(received_on)}
      </Text>
      <Muted>
        <span className="tabular">{utr}</span>
        {payer && `, from ${payer}`}
        {order_number && `, for ${order_number}`}
        {narration && `. ${narration}`}
      </Muted>
      {refund_vouchers.map(({ number, amount: back }) => (
        <Muted key={number}>
          <Amount rupees={back} /> of it went back, refund voucher {number}
        </Muted>
      ))}
      {moved !== "0.00" && (
        <Muted>
          <Amount rupees={moved} /> of it belonged to another order and was taken off
        </Muted>
      )}
      {excess !== "0.00" && (
        <Muted>
          <Amount rupees={excess} /> of it was more than was to be paid:{" "}
          {excess_here === "0.00" ? (
            "nothing of that is here any more"
          ) : (
            <>
              <Amount rupees={excess_here} /> stands as a credit
            </>
          )}
        </Muted>
      )}
      <StateBadge tone={shown.tone}>{shown.text}</StateBadge>
      {aside_because && <Text fz="sm">Why: {aside_because}</Text>}
    </Entry>
  );
}
