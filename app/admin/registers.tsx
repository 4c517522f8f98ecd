import { Alert, Button, Card, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { writtenDay } from "../../contract/india-time.ts";
import type { RegisterFormat } from "../../contract/registers.ts";
import { ApiError, call } from "../api.ts";
import { countOf } from "../components/count-of.ts";
import { PageTitle } from "../components/page-title.tsx";
import { saidBesides } from "../forms/said-besides.ts";
import { download } from "../lists/download.ts";

export const meta = () => [{ title: `Registers – ${brand.name}` }];

const formats: readonly [format: RegisterFormat, label: string, hint: string][] = [
  ["csv", "Register as CSV", "A line for each invoice and credit note, with its taxes: for any spreadsheet."],
  [
    "advances",
    "Advances as CSV",
    "Money that came before its invoice: received, invoiced or given back in the period.",
  ],
  [
    "gstr1",
    "GSTR-1 as JSON",
    "For one whole month, in the format of the return's offline tool, which checks it again.",
  ],
  ["tally", "Vouchers for Tally", "XML to import; ledgers with the same names must exist."],
];

/** The register of invoices and credit notes in a period, for the operator's accountant. */
export default function Registers() {
  const [period, setPeriod] = useState(lastMonth);
  const taking = useMutation({
    mutationFn: (format: RegisterFormat) => call("admin/register", { ...period, format }),
    onSuccess: ({ fileName, text, type }) => download(fileName, [text], type),
  });
  const fields = taking.error instanceof ApiError ? taking.error.fields : {};
  const error = saidBesides(taking.error, (field) => field in period);
  const day = (name: "from" | "to", label: string) => (
    <TextInput
      type="date"
      label={label}
      required
      value={period[name]}
      error={fields[name]}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        taking.reset();
        setPeriod((before) => ({ ...before, [name]: typed }));
      }}
    />
  );
  return (
    <>
      <PageTitle
        title="Registers"
        hint="Invoices and credit notes of a period, for your accountant. Nothing here files a return."
      />
      <Card withBorder radius="lg" p={{ base: "md", sm: "xl" }} maw={820} bg="var(--site-surface)">
        <Stack gap="lg">
          <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
            {day("from", "From")}
            {day("to", "To")}
          </Group>
          {error && (
            <Alert color="red" role="alert">
              {error.message}
            </Alert>
          )}
          {taking.data && (
            <Text role="status">
              {taking.data.fileName}: {countOf(taking.data.invoices, "invoice")},{" "}
              {countOf(taking.data.creditNotes, "credit note")}, {countOf(taking.data.advances, "advance")}.
            </Text>
          )}
          {formats.map(([format, label, hint]) => (
            <Group key={format} justify="space-between" gap="md">
              <Text fz="sm" c="var(--site-muted)" style={{ flex: "1 1 260px" }}>
                {hint}
              </Text>
              <Button
                variant="default"
                size="md"
                loading={taking.isPending && taking.variables === format}
                disabled={taking.isPending}
                onClick={() => taking.mutate(format)}
              >
                {label}
              </Button>
            </Group>
          ))}
        </Stack>
      </Card>
    </>
  );
}

/** The first and last day of the previous month, in India's time zone. */
function lastMonth(): { from: string; to: string } {
  const [year = 0, month = 0] = writtenDay(new Date()).split("-").map(Number);
  const written = (date: Date) => date.toISOString().slice(0, 10);
  return { from: written(new Date(Date.UTC(year, month - 2, 1))), to: written(new Date(Date.UTC(year, month - 1, 0))) };
}
