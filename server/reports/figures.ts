import { partnerOf, type Scope } from "../access/scope.ts";
import type { Database } from "../database/database.ts";
import { foldRows } from "../database/fold-rows.ts";
import type { Services } from "../services.ts";
import type { Month } from "./months.ts";

const names = ["orders", "paise", "leads", "converted", "customers", "partners"] as const;

/** Figures by month; `monthlyFigures` in the schema defines each of them. */
export type Figures = Record<(typeof names)[number], number>;

type Row = { month: string } & Record<keyof Figures, string>;

const sums = names.map((name) => `sum(${name})::text as ${name}`).join(", ");

/** The figures of each of these months and of all time, for one partner's customers or for everybody. */
export async function readFigures(
  { database }: Pick<Services, "database">,
  months: Month[],
  scope: Scope<"customers"> | Scope<"any">,
): Promise<{ total: Figures; byMonth: (Figures & { month: string })[] }> {
  const partnerId = scope.reach === "customers" ? partnerOf(scope) : null;
  const { rows } = await database.$client.query<Row>({
    name: partnerId === null ? "figures" : "figures_of_partner",
    text: `select month, ${sums} from monthly_figures
      where partner_id ${partnerId === null ? "is null" : "= $1"} group by month`,
    values: partnerId === null ? [] : [partnerId],
  });
  return {
    total: sum(rows),
    byMonth: months.map(({ name }) => ({ month: name, ...sum(rows.filter(({ month }) => month === name)) })),
  };
}

function sum(rows: Row[]): Figures {
  const sumOf = (name: keyof Figures) => rows.reduce((total, row) => total + Number(row[name]), 0);
  return Object.fromEntries(names.map((name) => [name, sumOf(name)])) as Figures;
}

/** Folds the changes of each month into one row. */
export const foldFigures = (database: Database): Promise<void> =>
  foldRows(database, "monthly_figures", ["partner_id", "month"], names);
