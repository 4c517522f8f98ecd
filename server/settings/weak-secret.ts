import { condense } from "./condense.ts";

// What stands in examples, and is copied from them.
const examples = /change.?(me|this|it)|your.{0,12}(secret|key)|replace.?(me|this|with)|example|placeholder|password/i;
const differentMin = 8;
// Of 32 random digits of any alphabet far more is left once repeats and runs are out.
const condensedMin = 20;

/** Whether somebody could find this secret by trying: few different characters, repeats, runs, or a well-known example. */
export function isWeakSecret(secret: string): boolean {
  return new Set(secret).size < differentMin || condense(secret).length < condensedMin || examples.test(secret);
}
