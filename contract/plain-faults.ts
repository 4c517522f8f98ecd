import type { z } from "zod";

/** A plain sentence about what is wrong with an entry, wherever a schema has no message of its own. */
export function plainFault(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "Please fill in this field" : (wanted[issue.expected] ?? checkEntry);
    case "too_big":
      return sizes[issue.origin]?.most(issue.maximum) ?? checkEntry;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "Please fill in this field";
      return sizes[issue.origin]?.least(issue.minimum) ?? checkEntry;
    case "not_multiple_of":
      return `Please use a multiple of ${issue.divisor}`;
    case "invalid_value":
      return `Please choose one of: ${issue.values.join(", ")}`;
    case "invalid_format":
      return formats[issue.format] ?? checkEntry;
    default:
      return checkEntry;
  }
}

const checkEntry = "Please check this entry";

const wanted: Partial<Record<string, string>> = {
  number: "Please enter a number",
  int: "Please enter a whole number",
  string: "Please enter text",
  boolean: "Please answer with true or false",
  array: "Please send a list",
  object: "Please send named fields",
};

type Size = number | bigint;
const number = {
  most: (size: Size) => `Please enter a number of ${size} or less`,
  least: (size: Size) => `Please enter a number of ${size} or more`,
};
const sizes: Partial<Record<string, typeof number>> = {
  number,
  int: number,
  string: {
    most: (size) => `Please use at most ${size} characters`,
    least: (size) => `Please use at least ${size} characters`,
  },
  array: {
    most: (size) => `Please choose at most ${size}`,
    least: (size) => `Please choose at least ${size}`,
  },
};

const formats: Partial<Record<string, string>> = {
  email: "Please enter a full e-mail address",
  url: "Please enter a full address that begins with https://",
  uuid: "This id is not known",
  datetime: "Please enter a date and time",
};
