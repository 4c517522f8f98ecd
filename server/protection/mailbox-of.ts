/**
 * The mailbox that an e-mail address leads to, for counting: what stands after a plus sorts mail within it.
 * Works in a longer key, too. Other spellings that lead to one mailbox (dots at Gmail) are known to its provider only.
 */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/(?<=[^\s@])\+[^\s@]*(?=@)/, "");
}
