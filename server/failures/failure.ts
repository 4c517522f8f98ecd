import { type ErrorBody, type ErrorCode, errorStatuses } from "../../contract/errors.ts";

/**
 * A failure whose message the caller sees. Anything else that is thrown is answered with 500 and without its message.
 */
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

/** The same answer for records that don't exist and those that belong to somebody else. */
export const notFound = (what = "This record") => new Failure("not_found", `${what} was not found.`);

/** A failure about one field of the input. */
export const invalidField = (field: string, sentence: string) =>
  new Failure("invalid", sentence, { fields: { [field]: sentence } });

/** The same for several fields, each with its own sentence. */
export const invalidFields = (fields: Record<string, string>) =>
  new Failure("invalid", "Please check the fields marked below.", { fields });

/** Asks a person to confirm what is unlikely, everything at once; each has a word for the box and a sentence. */
export const askWhetherMeant = (asked: readonly { word: string; sentence: string }[]) =>
  new Failure("conflict", asked.map(({ sentence }) => sentence).join(" "), {
    fields: { is_meant: `Please confirm the ${asked.map(({ word }) => word).join(" and the ")}` },
  });
