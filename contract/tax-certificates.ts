/**
 * The day by which the certificate for tax deducted on `deductedOn` must be there: fifteen days after the return of its
 * quarter is due (Income-tax Rules, 1962, rules 31 and 31A). Both as 2026-11-22.
 */
export function certificateDueOn(deductedOn: string): string {
  const [year = 0, month = 0] = deductedOn.split("-").map(Number);
  if (month <= 3) return `${year}-06-15`;
  if (month <= 6) return `${year}-08-15`;
  if (month <= 9) return `${year}-11-15`;
  return `${year + 1}-02-15`;
}
