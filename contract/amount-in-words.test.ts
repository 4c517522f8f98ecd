import { expect, test } from "vitest";
import { amountInWords } from "./amount-in-words.ts";

test.each([
  [0, "Rupees Zero Only"],
  [1, "Rupees Zero and One Paisa Only"],
  [100, "Rupees One Only"],
  [1_999, "Rupees Nineteen and Ninety-Nine Paise Only"],
  [2_000, "Rupees Twenty Only"],
  [10_000, "Rupees One Hundred Only"],
  [99_999, "Rupees Nine Hundred Ninety-Nine and Ninety-Nine Paise Only"],
  [100_000, "Rupees One Thousand Only"],
  [10_000_000, "Rupees One Lakh Only"],
  [12_345_678, "Rupees One Lakh Twenty-Three Thousand Four Hundred Fifty-Six and Seventy-Eight Paise Only"],
  [1_000_000_000, "Rupees One Crore Only"],
  [104_118_480_000, "Rupees One Hundred Four Crore Eleven Lakh Eighty-Four Thousand Eight Hundred Only"],
  [
    1_234_567_890_105,
    "Rupees One Thousand Two Hundred Thirty-Four Crore Fifty-Six Lakh Seventy-Eight Thousand Nine Hundred One and Five Paise Only",
  ],
])("%i paise are %s", (paise, words) => {
  expect(amountInWords(paise)).toBe(words);
});
