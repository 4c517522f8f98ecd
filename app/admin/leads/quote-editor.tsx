import { Alert, Button, Group, NumberInput, SimpleGrid, Stack, Table, Text, Textarea, TextInput } from "@mantine/core";
import { useMemo } from "react";
import type { LeadQuote } from "../../../contract/lead-details.ts";
import type { Lead } from "../../../contract/lead-list.ts";
import { keyOf } from "../../../contract/devices.ts";
import { limits } from "../../../contract/limits.ts";
import type { OfferPrice } from "../../../contract/staff-quotes.ts";
import { showSigned } from "../../billing/tax-lines.tsx";
import { showRupees } from "../../components/display.ts";
import { intoSight } from "../../components/refusal.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { DeviceGroups } from "../../estimator/device-groups.tsx";
import { heldWhileSent } from "../../forms/held-while-sent.ts";
import { partSelection } from "../../estimator/selection.ts";
import { useCatalogue } from "../../estimator/use-catalogue.ts";
import type { OnDirty } from "./lead-notes.tsx";
import { OfferedDevices } from "./offered-devices.tsx";
import { type Customer, useQuoteEditor } from "./use-quote-editor.ts";

/** Makes a quote for a lead or for somebody new, or the next revision of a quote: its devices, terms and price. */
export function QuoteEditor({
  lead,
  quote,
  onDirty,
  onDone,
}: {
  lead: Lead | null;
  quote: LeadQuote | null;
  onDirty: OnDirty;
  onDone: (leadId: string | null) => void;
}) {
  const editor = useQuoteEditor({ lead, quote }, onDirty, onDone);
  const { catalogue, isLive } = useCatalogue();
  const { offered } = useMemo(() => partSelection(catalogue, editor.devices), [catalogue, editor.devices]);
  const names = new Map(offered.map((device) => [keyOf(device), device.name]));
  const { price, errors } = editor;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" {...heldWhileSent(editor.send.isPending)}>
      <Stack gap="xl">
        {!quote && <CustomerFields customer={editor.customer} errors={errors} onChange={editor.changeCustomer} />}
        <PanelSection
          bare
          title="Devices"
          hint="At the rate card in force. Lines that a quote already has keep their rates."
        >
          <DeviceGroups catalogue={catalogue} isLive={isLive} offered={offered} onChange={editor.setNumber} />
        </PanelSection>
      </Stack>
      <Stack gap="xl">
        <PanelSection title={quote ? `${quote.number}, revision ${quote.revision + 1}` : "The quote"}>
          <Stack gap="lg">
            <OfferedDevices
              devices={editor.devices}
              nameOf={(device) => names.get(keyOf(device)) ?? device.deviceType}
              onChange={(devices) => editor.change({ devices })}
            />
            <NumberInput
              label="Discount"
              description="Empty: the volume discount of the rate card."
              suffix="%"
              min={0}
              max={limits.ownDiscountPercentMax}
              decimalScale={2}
              hideControls
              maw={260}
              value={editor.discount}
              error={errors["discountPercent"]}
              onChange={(discount) => editor.change({ discount })}
            />
            <Textarea
              label="Note to the customer"
              description="Printed on the proposal."
              autosize
              minRows={3}
              maxLength={limits.messageLengthMax}
              value={editor.note}
              error={errors["note"]}
              onChange={(event) => editor.change({ note: event.currentTarget.value })}
            />
            {price.data && <Totals price={price.data} />}
            <SendQuote editor={editor} isRevision={quote !== null} />
          </Stack>
        </PanelSection>
      </Stack>
    </SimpleGrid>
  );
}

function SendQuote({ editor, isRevision }: { editor: ReturnType<typeof useQuoteEditor>; isRevision: boolean }) {
  const { price, send } = editor;
  return (
    <>
      {[price.error, send.error].map(
        (error) =>
          error && (
            <Alert key={error.message} {...(error === send.error && { ref: intoSight })} color="red" role="alert">
              {error.message}
            </Alert>
          ),
      )}
      <Group gap="md">
        <Button
          size="md"
          disabled={!editor.isPriced}
          loading={send.isPending}
          onClick={() => {
            if (!send.isPending) send.mutate();
          }}
        >
          {isRevision ? "Send the revised proposal" : "Send the proposal"}
        </Button>
        <Text c="var(--site-muted)" maw={420} fz="sm">
          {isRevision
            ? "The customer gets the new proposal by e-mail; the one before is marked as superseded."
            : "The customer gets the proposal by e-mail, and can buy it from then on unless a rate is to be confirmed."}
        </Text>
      </Group>
    </>
  );
}

const customerFields: { name: keyof Customer; label: string; type?: string }[] = [
  { name: "organizationName", label: "Organization" },
  { name: "userName", label: "Name" },
  { name: "userEmail", label: "Email", type: "email" },
  { name: "phoneNumber", label: "Phone", type: "tel" },
  { name: "numberOfUsers", label: "Number of users" },
];

function CustomerFields({
  customer,
  errors,
  onChange,
}: {
  customer: Customer;
  errors: Record<string, string>;
  onChange: (part: Partial<Customer>) => void;
}) {
  return (
    <PanelSection title="Who it is for">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {customerFields.map(({ name, label, type = "text" }, index) => (
          <TextInput
            key={name}
            label={label}
            required
            type={type}
            {...(index === 0 && { "data-autofocus": true })}
            autoComplete="off"
            value={customer[name]}
            error={errors[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </PanelSection>
  );
}

function Totals({ price }: { price: OfferPrice }) {
  const rows: [string, string][] = [
    ["Devices", showRupees(price.subtotal)],
    ...(price.discountPercent > 0
      ? [[`Discount ${price.discountPercent}%`, `−${showRupees(price.discount)}`] as [string, string]]
      : []),
    ...price.tax.taxes.map(
      ({ name, percent, amount }) => [`${name} ${percent}%`, showRupees(amount)] as [string, string],
    ),
    ...(price.tax.roundOff ? [["Round-off", showSigned(price.tax.roundOff)] as [string, string]] : []),
    ["Total a year", showRupees(price.tax.total)],
  ];
  return (
    <Table maw={480} className="tabular" aria-label="What it comes to" aria-live="polite">
      <Table.Tbody>
        {rows.map(([name, amount], index) => (
          <Table.Tr key={name} fw={index === rows.length - 1 ? 650 : 400}>
            <Table.Th scope="row" fw="inherit">
              {name}
            </Table.Th>
            <Table.Td ta="end">{amount}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
