/** Stable error codes and the HTTP status each one answers with. */
export const errorStatuses = {
  malformed: 400,
  unauthenticated: 401,
  wrong_password: 401,
  forbidden: 403,
  /** The account is suspended; answered only after its right password. */
  suspended: 403,
  not_found: 404,
  conflict: 409,
  payment_in_progress: 409,
  too_large: 413,
  not_json: 415,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  overloaded: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** The body of every error response; `fields` only with code `invalid` or `conflict`. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  fields?: Record<string, string>;
}
