import type { z } from "zod";

export type Method = "get" | "post" | "put";

/**
 * One endpoint. Its name is also its path under /api, where `{field}` stands for that field of the input. An operation
 * that puts a record is named after the record with "/save", and one that posts where another reads ends in "/post";
 * both use the path without that ending.
 * `input` parses path and query, or the body, once.
 */
export interface Operation {
  method: Method;
  summary: string;
  input: z.ZodType;
  answer: z.ZodType;
  status: 200 | 201;
  /** The limit of the body, where it exceeds that of other calls. */
  bodyBytesMax?: number;
  /** The body is a file and arrives as `bytes`; all other bodies are JSON. */
  takes?: "file";
}

/** Declares an operation; `status` is 200 by default and 201 when something is created. */
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

/** The path of a call under /api, with its query; fields in the name's braces go into the path. */
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
