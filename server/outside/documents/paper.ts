import { formatRupees } from "../../../contract/money.ts";

const day = new Intl.DateTimeFormat("en-IN", { timeZone: "Asia/Kolkata", day: "numeric", month: "long", year: "numeric" });

/** A date as it stands on paper, in India: 21 November 2026. */
export const paperDate = (instant: Date) => day.format(instant);

/** An amount as it stands on paper, without the sign: 1,23,456.78. */
export const paperAmount = (paise: number) => formatRupees(paise).replace("₹", "");
