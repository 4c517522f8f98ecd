import { type ErrorBody, type ErrorCode, errorStatuses } from "../../contract/errors.ts";

/** A failure that the caller is told about. Anything else that is thrown answers 500 without its message. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    sentence: string,
    more: { fields?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(sentence);
    this.name = "Failure";
    this.code = code;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status() {
    return errorStatuses[this.code];
  }

  get body(): ErrorBody {
    return { error: this.message, code: this.code, ...(this.fields && { fields: this.fields }) };
  }
}

/** The one answer for what is absent and for what belongs to somebody else. */
export const notFound = (what = "This record") => new Failure("not_found", `${what} was not found.`);

/** What is wrong with one field of what was sent. */
export const invalidField = (field: string, sentence: string) =>
  new Failure("invalid", sentence, { fields: { [field]: sentence } });
