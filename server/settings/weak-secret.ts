import { condense } from "./condense.ts";

// Phrases in examples, which people copy.
const examples = /change.?(me|this|it)|your.{0,12}(secret|key)|replace.?(me|this|with)|example|placeholder|password/i;
const differentMin = 8;
// Once repeats and runs are removed, 32 random digits of any alphabet leave far more than this.
const condensedMin = 20;

/** Whether the secret could be guessed: it has few different characters, repeats, runs, or a well-known example. */
export function isWeakSecret(secret: string): boolean {
  return new Set(secret).size < differentMin || condense(secret).length < condensedMin || examples.test(secret);
}
