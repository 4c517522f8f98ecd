import type { ObligationWords } from "../../../contract/obligation-kinds.ts";
import { factKinds } from "../../../contract/regulator-fact-words.ts";

/** 6 hours from: Noticed, Brought to notice. */
export function showDeadline(deadline: ObligationWords["deadline"]): string {
  if (deadline.kind === "calendar")
    return `After the months ${deadline.afterMonths.join(", ")}: ${deadline.days === null ? "day not stated" : `${deadline.days} days`}`;
  const from = deadline.anchors.map((anchor) => factKinds[anchor].label).join(" or ");
  if (deadline.kind === "immediate") return `Without delay from: ${from}`;
  const hours = deadline.minutes / 60;
  const span = hours % 24 === 0 && hours > 72 ? `${hours / 24} days` : `${hours} hours`;
  return `${span} from: ${from}`;
}
