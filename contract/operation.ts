import type { z } from "zod";

export type Method = "get" | "post" | "put";

/**
 * One endpoint: its name is also its path under /api, where `{field}` stands for that field of the input; one that puts a
 * record is named after the record, with "/save", and has the record's path; so has one with "/post" that posts where
 * another reads.
 * Path with query, or body, is parsed once, by `input`.
 */
export interface Operation {
  method: Method;
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
  method: Method;
  summary: string;
  input: Input;
  answer: Answer;
  status?: 200 | 201;
  bodyBytesMax?: number;
  takes?: "file";
}) {
  return { status: 200 as const, ...declared };
}

/** The path under /api of an operation of this name. */
export const placeOf = (method: Method, name: string) =>
  name.replace({ get: /$^/, put: /\/save$/, post: /\/post$/ }[method], "");

/** The path of a call under /api, with its query; fields that the name has in braces go into the path. */
export function pathOf(method: Method, name: string, input: Record<string, unknown>): string {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = placeOf(method, name).replace(/\{(\w+)\}/g, (_braces, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value));
  });
  const query = method === "get" ? new URLSearchParams([...rest].map(([key, value]) => [key, String(value)])) : "";
  return [path, String(query)].filter(Boolean).join("?");
}
