import { earlier } from "../../contract/durations.ts";
import type { CoverageReason, CoverageState } from "../../contract/coverage-words.ts";
import type { KnownDevice } from "../engines/devices.ts";
import { lastEventsMinutesMax } from "../outside/engines/engine.ts";

export interface DeviceStanding {
  state: CoverageState;
  /** Null while it is connected. */
  reason: CoverageReason | null;
  /** Since when it is silent, if known, or since when its state is unknown, in which case this is never null. */
  since: Date | null;
}

/**
 * A device's state at a moment. An engine's own "active" suffices only if the engine reports no events: an agent can
 * live while its log source is dead. A device whose state is not known never counts as connected.
 */
export function standingOf(device: KnownDevice, limitMinutes: number, now: Date): DeviceStanding {
  if (device.unknownSince) return { state: "unknown", reason: "no_answer", since: device.unknownSince };
  const lastSign = latest(device.lastSeenAt, device.lastEventAt);
  switch (device.state) {
    case "never":
      return { state: "never", reason: "never", since: null };
    case "pending":
      return lastSign
        ? { state: "silent", reason: "disconnected", since: lastSign }
        : { state: "never", reason: "never", since: null };
    case "disconnected":
      return { state: "silent", reason: "disconnected", since: lastSign };
    case "active":
      return device.lastEventBasis === "events"
        ? byEvents(device, limitMinutes, now)
        : bySightings(device, limitMinutes, now);
    default:
      return notTold(device);
  }
}

const connected: DeviceStanding = { state: "connected", reason: null, since: null };

function byEvents(device: KnownDevice, limitMinutes: number, now: Date): DeviceStanding {
  const { lastEventAt, eventsUnknownSince, knownSince } = device;
  if (eventsUnknownSince) return { state: "unknown", reason: "events_unknown", since: eventsUnknownSince };
  const limit = earlier(now, { minutes: limitMinutes });
  if (lastEventAt)
    return lastEventAt >= limit ? connected : { state: "silent", reason: "no_events", since: lastEventAt };
  // Unknown for a time longer than the engine was asked about and longer than the device has been known here.
  const isKnown = limitMinutes <= lastEventsMinutesMax || knownSince < limit;
  return isKnown
    ? { state: "silent", reason: "no_events", since: null }
    : { state: "unknown", reason: "events_unknown", since: knownSince };
}

function bySightings(device: KnownDevice, limitMinutes: number, now: Date): DeviceStanding {
  const { lastSeenAt } = device;
  if (!lastSeenAt) return notTold(device);
  return lastSeenAt >= earlier(now, { minutes: limitMinutes })
    ? connected
    : { state: "silent", reason: "disconnected", since: lastSeenAt };
}

/** Unknown since its last sign of any kind, or since the device became known here. */
const notTold = ({ lastSeenAt, lastEventAt, knownSince }: KnownDevice): DeviceStanding => ({
  state: "unknown",
  reason: "not_told",
  since: latest(lastSeenAt, lastEventAt) ?? knownSince,
});

function latest(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one > other ? one : other;
}
