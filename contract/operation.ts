import type { z } from "zod";

/** One endpoint: its name is also its path under /api. Body or query is parsed once, by `input`. */
export interface Operation {
  method: "get" | "post";
  summary: string;
  input: z.ZodType;
  answer: z.ZodType;
  status: 200 | 201;
}

/** Declares one operation; `status` is 200 unless something is made. */
export function operation<Input extends z.ZodType, Answer extends z.ZodType>(declared: {
  method: "get" | "post";
  summary: string;
  input: Input;
  answer: Answer;
  status?: 200 | 201;
}) {
  return { status: 200 as const, ...declared };
}
