const ones = [
  "",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
  "Thirteen",
  "Fourteen",
  "Fifteen",
  "Sixteen",
  "Seventeen",
  "Eighteen",
  "Nineteen",
];
const tens = ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];
const units: [number, string][] = [
  [10_000_000, "Crore"],
  [100_000, "Lakh"],
  [1000, "Thousand"],
  [100, "Hundred"],
];

/** An amount as an Indian invoice spells it: 12345678 paise → "Rupees One Lakh Twenty-Three Thousand Four Hundred Fifty-Six and Seventy-Eight Paise Only". */
export function amountInWords(paise: number): string {
  const whole = Math.trunc(paise / 100);
  const rest = paise % 100;
  const paiseWord = rest === 1 ? "Paisa" : "Paise";
  const rupees = whole === 0 ? "Zero" : inWords(whole);
  return `Rupees ${rupees}${rest ? ` and ${inWords(rest)} ${paiseWord}` : ""} Only`;
}

function inWords(number: number): string {
  const unit = units.find(([size]) => number >= size);
  if (unit) {
    const [size, name] = unit;
    return [inWords(Math.trunc(number / size)), name, inWords(number % size)].filter(Boolean).join(" ");
  }
  if (number < 20) return ones[number] ?? "";
  return [tens[Math.trunc(number / 10)], ones[number % 10]].filter(Boolean).join("-");
}
