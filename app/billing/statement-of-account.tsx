import { Alert, Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { writtenDay } from "../../contract/india-time.ts";
import type { StatementRequest } from "../../contract/receivables.ts";
import { ApiError } from "../api.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { saidBesides } from "../forms/said-besides.ts";
import { downloadAnswer } from "../lists/download.ts";
import { type DueOf, fetchStatement } from "./payments-due-of.ts";

/** All invoices, payments, credit notes and claims of a period, as a file. */
export function StatementOfAccount({ of, level }: { of: DueOf; level: 2 | 3 }) {
  const [period, setPeriod] = useState(sinceApril);
  const taking = useMutation({
    mutationFn: (format: StatementRequest["format"]) => fetchStatement(of, { ...period, format }),
    onSuccess: downloadAnswer,
  });
  const fields = taking.error instanceof ApiError ? taking.error.fields : {};
  const error = saidBesides(taking.error, (field) => field in period);
  const day = (name: "from" | "to", label: string) => (
    <TextInput
      type="date"
      label={label}
      maw="100%"
      value={period[name]}
      error={fields[name]}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        taking.reset();
        setPeriod((before) => ({ ...before, [name]: typed }));
      }}
    />
  );
  const button = (format: StatementRequest["format"], label: string) => (
    <Button
      variant="default"
      size="md"
      loading={taking.isPending && taking.variables === format}
      disabled={taking.isPending}
      onClick={() => taking.mutate(format)}
    >
      {label}
    </Button>
  );
  return (
    <div className="screen-only">
      <PanelSection title="Statement of account" level={level}>
        <Group gap="md" align={fields["from"] || fields["to"] ? "flex-start" : "flex-end"}>
          {day("from", "From")}
          {day("to", "To")}
          <Group gap="sm">
            {button("pdf", "PDF")}
            {button("csv", "CSV")}
          </Group>
        </Group>
        {error && (
          <Alert color="red" role="alert" mt="sm">
            {error.message}
          </Alert>
        )}
      </PanelSection>
    </div>
  );
}

/** From the first day of the financial year (1 April) until today, in India's time zone. */
function sinceApril(): { from: string; to: string } {
  const to = writtenDay(new Date());
  const [year = "", month = ""] = to.split("-");
  return { from: `${Number(month) >= 4 ? year : Number(year) - 1}-04-01`, to };
}
