import { customService, keyOf } from "../../contract/devices.ts";
import { contractNumber } from "../../contract/numbers.ts";
import { contractYear, daysAfter } from "../../contract/proration.ts";
import { totalsOf } from "../../contract/totals.ts";
import type { Transaction } from "../database/database.ts";
import type { QuoteLine, QuoteTerm } from "../database/schema/index.ts";
import { discountFor, priceAnew } from "../rates/pricing.ts";
import type { RateCardRow } from "../rates/rate-card.ts";
import type { Contract } from "./find-contract.ts";
import { type ContractLine, devicesAtEnd } from "./lines.ts";

/**
 * The next year of what a contract holds on its last day, at a rate card's prices; devices typed in by hand keep their
 * confirmed rate.
 */
export async function renewalOffer(transaction: Transaction, card: RateCardRow, contract: Contract) {
  const held = await devicesAtEnd(transaction, contract);
  const lines = namedApart([...Map.groupBy(held, pricedAlike).values()].flatMap((same) => priced(card, same)));
  const count = lines.reduce((total, { number }) => total + number, 0);
  const discountBasisPoints = discountFor(card.tiers, count);
  const { from, to, days } = contractYear(daysAfter(contract.endsOn, 1));
  const number = contractNumber(contract.serial);
  const term: QuoteTerm = {
    kind: "renew",
    contractNumber: number,
    from,
    to,
    days,
    daysOfYear: days,
    discountBasisPoints: 0,
  };
  return { ...totalsOf(lines, { discountBasisPoints, gstBasisPoints: card.gstBasisPoints }), lines, term };
}

/** Devices typed in by hand under one name may have been confirmed at different rates. */
const pricedAlike = ({ key, service, ratePaise }: ContractLine) =>
  service === customService ? `${keyOf(key)} ${ratePaise}` : keyOf(key);

/** A quote may have each name only once, ignoring case. */
function namedApart(lines: QuoteLine[]): QuoteLine[] {
  const nameOf = (line: QuoteLine) => keyOf(line.key ?? line).toLowerCase();
  const taken = new Set<string>();
  return lines.map((line) => {
    let named = line;
    for (let count = 2; taken.has(nameOf(named)); count++) {
      const deviceType = `${line.deviceType} (${count})`;
      named = { ...line, deviceType, key: { service: line.service, deviceType } };
    }
    taken.add(nameOf(named));
    return named;
  });
}

/** All series of one type as one line; none if no card has ever had the type. */
function priced(card: RateCardRow, same: readonly ContractLine[]): QuoteLine[] {
  const last = same.at(-1);
  if (!last) return [];
  const { key, service, deviceType, unit, ratePaise } = last;
  const number = same.reduce((sum, { quantity }) => sum + quantity, 0);
  const line = { key, service, deviceType, number, unit, ratePaise, subjectToConfirmation: false };
  const before: QuoteLine = { ...line, amountPaise: ratePaise * number };
  return service === customService ? [before] : priceAnew(card, [before]).lines;
}

/** Whether both list the same devices, whatever they cost. */
export function sameDevices(one: readonly QuoteLine[], other: readonly QuoteLine[]): boolean {
  const named = (lines: readonly QuoteLine[]) =>
    lines
      .map((line) => `${keyOf(line.key ?? line)}:${line.number}`)
      .toSorted()
      .join("|");
  return named(one) === named(other);
}
