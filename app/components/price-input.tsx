import { NumberInput, type NumberInputProps } from "@mantine/core";

/** An amount in rupees, in Indian grouping with two decimals. */
export function PriceInput(props: NumberInputProps) {
  return (
    <NumberInput
      prefix="₹"
      thousandSeparator=","
      thousandsGroupStyle="lakh"
      decimalScale={2}
      fixedDecimalScale
      allowNegative={false}
      hideControls
      className="tabular"
      {...props}
    />
  );
}
