import { EngineFailure } from "./engine-failure.ts";

/** Tokens of engines, by whose they are: each is fetched once, however many want it at the same time. */
export interface Tokens {
  /** The token that is held, or a new one. @throws EngineFailure */
  get(owner: string, login: () => Promise<string>): Promise<string>;
  /** Forgets a token that the engine refused, unless another has come meanwhile. */
  drop(owner: string, token: string): void;
  /** Forgets whatever is held, so that the next one wanted is a new one, also after a login that was refused. */
  forget(owner: string): void;
}

/** Wazuh's tokens live for 15 minutes unless its administrator says otherwise; one that ends sooner is renewed when refused. */
const heldMs = 13 * 60_000;
/** A login that was refused is not tried again with the same password: after five tries engines lock the address out. */
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
