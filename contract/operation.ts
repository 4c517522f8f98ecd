import type { z } from "zod";

/**
 * One endpoint: its name is also its path under /api, where `{field}` stands for that field of the input.
 * Path with query, or body, is parsed once, by `input`.
 */
export interface Operation {
  method: "get" | "post";
  summary: string;
  input: z.ZodType;
  answer: z.ZodType;
  status: 200 | 201;
  /** What may be sent, where it is more than of other calls. */
  bodyBytesMax?: number;
  /** The body is a file and comes as `bytes`; everything else is JSON. */
  takes?: "file";
}

/** Declares one operation; `status` is 200 unless something is made. */
export function operation<Input extends z.ZodType, Answer extends z.ZodType>(declared: {
  method: "get" | "post";
  summary: string;
  input: Input;
  answer: Answer;
  status?: 200 | 201;
  bodyBytesMax?: number;
  takes?: "file";
}) {
  return { status: 200 as const, ...declared };
}

/** The path of a call under /api, with its query; fields that the name has in braces go into the path. */
export function pathOf(method: Operation["method"], name: string, input: Record<string, unknown>): string {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = name.replace(/\{(\w+)\}/g, (_braces, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value));
  });
  const query = method === "get" ? new URLSearchParams([...rest].map(([key, value]) => [key, String(value)])) : "";
  return [path, String(query)].filter(Boolean).join("?");
}
