import { LRUCache } from "lru-cache";
import { type KeptAnswer, shrinkLater } from "./kept-answer.ts";

export interface MadePage {
  answer: KeptAnswer;
  /** False when something on the page could not be loaded: an earlier version is better. */
  isWhole: boolean;
  /** When its content changes by the calendar. */
  validUntil: Date | null;
}

export interface Keeping {
  bytes: number;
  /** The greatest age of a page: limits the harm if notifications of changes fail. */
  seconds: number;
  /** How long a page stays in use whose content may have changed unnoticed and which can't be rendered again. */
  secondsInDoubt: number;
  /** The pause before trying again to render a page that came out incomplete. */
  secondsBetweenTries: number;
}

const keeping: Keeping = { bytes: 16_000_000, seconds: 60, secondsInDoubt: 3600, secondsBetweenTries: 2 };

interface KeptPage {
  answer: KeptAnswer;
  /** Whether the smallest form has been made or is queued. */
  isShrunk: boolean;
  until: number;
  /** Since when its content may have changed unnoticed. */
  inDoubtSince: number | null;
  nextTry: number;
}

/**
 * Rendered pages in memory, by address; the least recently used are dropped first. Concurrent requests share one
 * rendering. A page is rendered again when content has changed (`forget`), when a change may have been missed
 * (`doubt`), and when its time is up.
 */
export class KeptPages {
  readonly #kept: LRUCache<string, KeptPage>;
  readonly #making = new Map<string, Promise<KeptAnswer>>();
  readonly #make: (address: string) => Promise<MadePage>;
  readonly #now: () => Date;
  readonly #limits: Keeping;
  /** Counts changes; a page whose rendering began before a change is not kept. */
  #changes = 0;
  #hears = false;
  #interruptions = 0;

  constructor(make: (address: string) => Promise<MadePage>, now: () => Date, limits = keeping) {
    this.#make = make;
    this.#now = now;
    this.#limits = limits;
    this.#kept = new LRUCache({ maxSize: limits.bytes, sizeCalculation: sizeOf });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** The kept page if it is still valid; null if it must be rendered. */
  find(address: string): KeptAnswer | null {
    const kept = this.#kept.get(address);
    if (!kept || !this.#isGood(kept)) return null;
    // Only pages requested a second time are worth shrinking.
    const { answer } = kept;
    kept.isShrunk ||= shrinkLater(answer, () => this.#kept.peek(address)?.answer.bytes === answer.bytes);
    return answer;
  }

  async answer(address: string): Promise<KeptAnswer> {
    return this.find(address) ?? this.#making.get(address) ?? this.#startMaking(address);
  }

  /** Content has changed: drops all pages, so that later requests see none from before. */
  forget(): void {
    this.#changes++;
    this.#kept.clear();
    this.#making.clear();
  }

  /** From now on changes may be missed. */
  doubt(): void {
    this.#hears = false;
    this.#interruptions++;
    const now = this.#now().getTime();
    for (const page of this.#kept.values()) page.inDoubtSince ??= now;
  }

  /** From now on every change is noticed. */
  trust(): void {
    this.#hears = true;
    for (const page of this.#kept.values()) page.nextTry = 0;
  }

  #isGood({ inDoubtSince, until, nextTry }: KeptPage): boolean {
    const now = this.#now().getTime();
    return now < nextTry || (inDoubtSince === null && now < until);
  }

  #startMaking(address: string): Promise<KeptAnswer> {
    const made = this.#makeAnew(address).finally(() => {
      if (this.#making.get(address) === made) this.#making.delete(address);
    });
    this.#making.set(address, made);
    return made;
  }

  async #makeAnew(address: string): Promise<KeptAnswer> {
    const { changes, interruptions, hears } = {
      changes: this.#changes,
      interruptions: this.#interruptions,
      hears: this.#hears,
    };
    const { answer, isWhole, validUntil } = await this.#make(address);
    if (changes !== this.#changes) return answer;
    const now = this.#now().getTime();
    const earlier = this.#kept.peek(address);
    if (!isWhole && earlier && now - (earlier.inDoubtSince ?? now) < this.#limits.secondsInDoubt * 1000) {
      earlier.nextTry = now + this.#limits.secondsBetweenTries * 1000;
      return earlier.answer;
    }
    if (isWhole && answer.status === 200) {
      const isSame = answer.etag !== null && earlier?.answer.etag === answer.etag;
      if (isSame) answer.bytes = earlier.answer.bytes;
      this.#kept.set(address, {
        answer,
        isShrunk: isSame && earlier.isShrunk,
        until: Math.min(now + this.#limits.seconds * 1000, validUntil?.getTime() ?? Infinity),
        inDoubtSince: hears && interruptions === this.#interruptions ? null : now,
        nextTry: 0,
      });
    } else this.#kept.delete(address);
    return answer;
  }
}

function sizeOf({ answer: { bytes } }: KeptPage, address: string): number {
  const sizes = [bytes.identity, bytes.br, bytes.gzip].map((form) => form?.length ?? 0);
  return sizes.reduce((sum, size) => sum + size, 2 * address.length + 1000);
}
