/**
 * The mailbox of an e-mail address, for counting: without the part after a plus. Also works on an address within a
 * longer key. Other spellings of the same mailbox (dots at Gmail) are known only to its provider.
 */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/(?<=[^\s@])\+[^\s@]*(?=@)/, "");
}
