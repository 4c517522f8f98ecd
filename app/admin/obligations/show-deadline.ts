import type { ObligationWords } from "../../../contract/obligation-kinds.ts";
import { factKinds } from "../../../contract/regulator-fact-words.ts";

const month = new Intl.DateTimeFormat("en-IN", { timeZone: "UTC", month: "long" });
const monthName = (number: number) => month.format(Date.UTC(2026, number - 1));

/** A deadline: "6 hours from: noticed or brought to notice", "After March, June, September, December: 15 days". */
export function showDeadline(deadline: ObligationWords["deadline"]): string {
  if (deadline.kind === "calendar")
    return `After ${deadline.afterMonths.map(monthName).join(", ")}: ${deadline.days === null ? "day not stated" : `${deadline.days} days`}`;
  const from = deadline.anchors.map((anchor) => withinSentence(factKinds[anchor].label)).join(" or ");
  if (deadline.kind === "immediate") return `Without delay from: ${from}`;
  const hours = deadline.minutes / 60;
  const span = hours % 24 === 0 && hours > 72 ? `${hours / 24} days` : `${hours} hours`;
  return `${span} from: ${from}`;
}

const withinSentence = (label: string) => label.charAt(0).toLowerCase() + label.slice(1);
