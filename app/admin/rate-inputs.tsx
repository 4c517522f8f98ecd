import { NumberInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Price } from "../../contract/quotes.ts";
import { showRupees } from "../components/display.ts";
import classes from "./rate-card-form.module.css";

export interface RateValues {
  rates: { service: string; deviceType: string; yearly: string | number }[];
}

/** One yearly rate for each line, in rupees. */
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
    <div className={classes.rates}>
      {lines.map((line, index) => (
        <NumberInput
          key={line.deviceType}
          label={<bdi>{line.deviceType}</bdi>}
          description={`Number: ${line.number}. Default per ${line.unit} and year: ${showRupees(line.rate)}`}
          prefix="₹"
          thousandSeparator=","
          thousandsGroupStyle="lakh"
          decimalScale={2}
          fixedDecimalScale
          allowNegative={false}
          hideControls
          readOnly={readOnly}
          {...form.getInputProps(`rates.${index}.yearly`)}
        />
      ))}
    </div>
  );
}
