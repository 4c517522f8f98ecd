import { SimpleGrid } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Price } from "../../contract/quotes.ts";
import { showRupees } from "../components/display.ts";
import { PriceInput } from "../components/price-input.tsx";

export interface RateValues {
  rates: { service: string; deviceType: string; yearly: string | number }[];
}

/** A yearly rate for each line, in rupees. */
export function RateInputs({
  form,
  lines,
  readOnly,
}: {
  form: UseFormReturnType<RateValues>;
  lines: Price["lines"];
  readOnly: boolean;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg" style={{ alignItems: "end" }}>
      {lines.map((line, index) => (
        <PriceInput
          key={line.deviceType}
          label={<bdi>{line.deviceType}</bdi>}
          description={`Number: ${line.number}. Default per ${line.unit} and year: ${showRupees(line.rate)}`}
          readOnly={readOnly}
          {...(index === 0 && !readOnly && { "data-autofocus": true })}
          {...form.getInputProps(`rates.${index}.yearly`)}
        />
      ))}
    </SimpleGrid>
  );
}
