/**
 * Web and e-mail addresses, both as links and inside names, where mail programs would turn them into links and our
 * mails would carry them to strangers.
 */

const address =
  /:\/\/|(?<![\p{L}\p{N}])www\.|\S@[^\s@]+\.\S|(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)|[\p{L}\p{N}]\.\p{L}[\p{L}\p{N}-]+(?:[/?#]|:\d)/iu;

/** Whether a name contains an address that leads somewhere by itself: evil.example/pay, but not Booking.com. */
export const hasAddress = (name: string) => address.test(name);

const domainEnd = /^[a-z]{2,}$|^xn--/i;
const initialOrTitle =
  /^(?:\p{L}\p{M}*|mrs?|ms|dr|prof|er|adv|ca|cs|md|mohd|st|smt|shri|sri|capt|col|maj|lt|gen|jr|sr)$/iu;
const commonEnds = new Set(
  "com net org info biz xyz top app dev pro name mobi link click site online website space shop store live bank tech loan club vip fun icu win cam work page blog news".split(
    " ",
  ),
);

/** The first word of a person's name that reads as a domain: evil.example and S.Tech, but not K.Ramesh or Dr.Rao. */
export function domainIn(name: string): string | null {
  return name.split(/[\s,;()]+/).find(isDomain) ?? null;
}

function isDomain(word: string): boolean {
  const parts = word.split(/[.\u3002\uFF0E\uFF61]/u);
  const end = parts.pop() ?? "";
  if (parts.every((part) => part === "") || !domainEnd.test(end)) return false;
  const isName = end.length > 2 && !commonEnds.has(end.toLowerCase());
  return !isName || !parts.every((part) => initialOrTitle.test(part));
}

/** Whether a link to this address is safe to open: https, without a user name or password in it. */
export function isOpenable(address: string): boolean {
  // The URL parser silently drops or repairs these, so the address stored would differ from the one opened.
  if (/[\s\\\p{Cc}\p{Cs}]/u.test(address) || !/^https:\/\/[^/]/i.test(address)) return false;
  const url = URL.parse(address);
  return url !== null && url.username === "" && url.password === "";
}
