import { NumberInput, type NumberInputProps } from "@mantine/core";

/** A field for an amount in rupees, with Indian grouping and two decimals. */
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
