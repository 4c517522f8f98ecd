import { EngineFailure } from "./engine-failure.ts";

/** Login tokens of engines, by owner: concurrent callers share one login. */
export interface Tokens {
  /** The cached token, or a new one. @throws EngineFailure */
  get(owner: string, login: () => Promise<string>): Promise<string>;
  /** Forgets a token that the engine refused, unless it was already replaced. */
  drop(owner: string, token: string): void;
  /** Forgets the owner's token, or refused login, so that the next `get` logs in again. */
  forget(owner: string): void;
}

/**
 * Wazuh's tokens live for 15 minutes unless its administrator changed that; one that expires sooner is renewed when it
 * is refused.
 */
const heldMs = 13 * 60_000;
/**
 * A refused login is not retried with the same password for this long: after five failures engines lock the address
 * out.
 */
const refusedMs = 15 * 60_000;
const heldMax = 5000;

export function openTokens(now: () => number = Date.now): Tokens {
  const held = new Map<string, { token: Promise<string>; value: string | null; until: number }>();
  const makeRoom = () => {
    if (held.size < heldMax) return;
    for (const [owner, { until }] of held) if (until < now()) held.delete(owner);
    for (const owner of held.keys()) if (held.size >= heldMax) held.delete(owner);
  };
  return {
    async get(owner, login) {
      const known = held.get(owner);
      if (known && known.until > now()) return known.token;
      makeRoom();
      const fetching = { token: login(), value: null as string | null, until: now() + heldMs };
      held.set(owner, fetching);
      try {
        return (fetching.value = await fetching.token);
      } catch (error) {
        const isRefused = error instanceof EngineFailure && error.problem === "login";
        fetching.until = isRefused ? now() + refusedMs : 0;
        throw error;
      }
    },
    drop(owner, token) {
      if (held.get(owner)?.value === token) held.delete(owner);
    },
    forget: (owner) => void held.delete(owner),
  };
}
