import { partnerOf, type Scope } from "../access/scope.ts";
import type { Services } from "../services.ts";
import type { Month } from "./months.ts";

export interface PaidOrders {
  orders: number;
  paise: number;
}

interface Row {
  month: number;
  orders: string;
  paise: string;
}

/**
 * How many orders were paid in each of these months, for how many paise, and in all, earlier ones too.
 * Of one partner's customers, or of everybody.
 */
export async function countPaidOrders(services: Services, months: Month[], scope: Scope<"customers"> | Scope<"any">) {
  const partnerId = scope.reach === "customers" ? partnerOf(scope) : null;
  const { rows } = await services.database.$client.query<Row>(
    `select width_bucket(paid_at, $1::timestamptz[]) as month, count(*) as orders, sum(amount_paise) as paise
      from orders where state = 'success' ${partnerId === null ? "" : "and partner_id = $2"} group by 1`,
    partnerId === null ? [startsOf(months)] : [startsOf(months), partnerId],
  );
  const sum = (some: Row[]): PaidOrders => ({
    orders: some.reduce((total, { orders }) => total + Number(orders), 0),
    paise: some.reduce((total, { paise }) => total + Number(paise), 0),
  });
  return { total: sum(rows), byMonth: months.map((_, index) => sum(rows.filter(({ month }) => month === index + 1))) };
}

/** For width_bucket, which answers 1 for the first month and 0 for what was earlier. */
export const startsOf = (months: Month[]) => months.map(({ start }) => start.toISOString());
