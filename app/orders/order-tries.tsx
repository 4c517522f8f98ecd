import type { Payment, Try, TryState } from "../../contract/orders.ts";
import { showSpan, showTime } from "../components/display.ts";
import classes from "./order-tries.module.css";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import type { Unfolded } from "../components/unfold.tsx";

const shown: Record<TryState, { text: string; tone: Tone; reason?: string }> = {
  initiated: { text: "Started", tone: "neutral", reason: "Not finished on the gateway's page yet." },
  pending: { text: "Pending", tone: "info", reason: "The bank has not confirmed it yet." },
  success: { text: "Paid", tone: "good" },
  failure: { text: "Failed", tone: "bad", reason: "The gateway gave no reason." },
  expired: { text: "Expired", tone: "warning", reason: "Not finished on the gateway's page in time." },
  review: { text: "Being checked", tone: "warning", reason: "Something about it needs a person's look." },
  refunded: { text: "Given back", tone: "neutral" },
  taken_over: { text: "Taken over", tone: "neutral" },
};

/** An order's tries to pay, to be opened below it in a list; nothing where none was kept. */
export function unfoldTries({ tries }: Payment): Unfolded | null {
  if (tries.length === 0) return null;
  return { label: tries.length === 1 ? "1 try" : `${tries.length} tries`, content: <OrderTries tries={tries} /> };
}

/** The newest first: when, by whom, how it ended and why. */
export function OrderTries({ tries }: { tries: readonly Try[] }) {
  return (
    <ol className={classes.tries} aria-label="Tries to pay">
      {tries.map((each) => {
        const { text, tone, reason } = shown[each.state];
        return (
          <li key={each.started_at}>
            <span className="tabular">
              {each.ended_at ? showSpan(each.started_at, each.ended_at) : showTime(each.started_at)}
            </span>
            <span>
              <StateBadge tone={tone}>{text}</StateBadge>
            </span>
            <span>{each.started_by && <bdi>{each.started_by}</bdi>}</span>
            <span>{each.reason ?? reason}</span>
          </li>
        );
      })}
    </ol>
  );
}
