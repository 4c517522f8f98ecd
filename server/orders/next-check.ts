import { inMilliseconds } from "../../contract/durations.ts";
import type { AttemptState } from "../database/schema/index.ts";

/** What decides when the gateway is asked about an attempt. */
export interface Checked {
  state: AttemptState;
  createdAt: Date;
  expiresAt: Date;
  claimedAt: Date | null;
  endedAt: Date | null;
}

const hourMs = inMilliseconds({ hours: 1 });
/** A gateway may still capture a payment that it called failed, and its message about that may get lost. */
const lateChecksMs = [hourMs, 6 * hourMs, 24 * hourMs];
/** The gateway is asked sooner than this, whatever was planned. */
export const checkedWithin = { hours: 25 };
/** A bank may leave a payment pending for days; after this we give it up unless the gateway says otherwise. */
const underWayMaxMs = 7 * 24 * hourMs;
/** A success that the gateway has not confirmed is shown to a person after this time. */
export const unconfirmedMaxMs = 24 * hourMs;

const isOpen = ({ state }: Checked) => state === "initiated" || state === "pending";

/** When to ask again, once the gateway has answered; null when there is nothing more to learn. */
export function nextCheckAt(attempt: Checked, isUnderWay: boolean, now: Date): Date | null {
  const planned = plannedCheckAt(attempt, isUnderWay, now);
  // An attempt made while our clock ran ahead has dates far in the future.
  return planned && new Date(Math.min(planned.getTime(), now.getTime() + Math.max(...lateChecksMs)));
}

function plannedCheckAt(attempt: Checked, isUnderWay: boolean, now: Date): Date | null {
  if (attempt.state === "success" || attempt.state === "review" || attempt.state === "refunded") return null;
  if (attempt.claimedAt) return retryAt(attempt, now);
  if (attempt.state === "initiated") return later(attempt.expiresAt, retryAt(attempt, now));
  if (attempt.state === "pending") return retryAt(attempt, now);
  const ended = endOf(attempt).getTime();
  if (isUnderWay && now.getTime() - ended < underWayMaxMs) return retryAt(attempt, now);
  const next = lateChecksMs.map((ms) => ended + ms).find((due) => due > now.getTime());
  return next === undefined ? null : new Date(next);
}

/** When to ask again if the gateway gave no answer: ever less often, without end. */
export const retryAt = (attempt: Checked, now: Date): Date => askAgainAt(waitingSince(attempt), now);

function waitingSince(attempt: Checked): Date {
  return attempt.claimedAt ?? (isOpen(attempt) ? attempt.createdAt : endOf(attempt));
}

/** When to ask again about what has waited since then: after a fourth of that time, half a minute to an hour. */
export function askAgainAt(since: Date, now: Date): Date {
  const pauseMs = Math.min(Math.max((now.getTime() - since.getTime()) / 4, 30_000), hourMs);
  return new Date(now.getTime() + pauseMs);
}

/** Whether an attempt has come to nothing. One that the gateway called a success does not time out. */
export function isTimedOut(attempt: Checked, isUnderWay: boolean, now: Date): boolean {
  if (!isOpen(attempt) || attempt.claimedAt) return false;
  return isUnderWay ? now.getTime() - attempt.createdAt.getTime() > underWayMaxMs : attempt.expiresAt <= now;
}

const endOf = ({ endedAt, createdAt }: Checked) => endedAt ?? createdAt;
const later = (one: Date, other: Date) => (one > other ? one : other);
