import { LRUCache } from "lru-cache";
import { type KeptAnswer, shrinkLater } from "./kept-answer.ts";

export interface MadePage {
  answer: KeptAnswer;
  /** False when something that belongs on it could not be had: an earlier one is better. */
  isWhole: boolean;
  /** When something else is to stand there, by the calendar. */
  validUntil: Date | null;
}

export interface Keeping {
  bytes: number;
  /** No page grows older without being made anew: a bound on whatever may be wrong with the news. */
  seconds: number;
  /** How long a page is shown whose content may have changed unheard, while it can't be made anew. */
  secondsInDoubt: number;
  /** How long nobody tries again to make a page that could not be made as a whole. */
  secondsBetweenTries: number;
}

const keeping: Keeping = { bytes: 16_000_000, seconds: 60, secondsInDoubt: 3600, secondsBetweenTries: 2 };

interface KeptPage {
  answer: KeptAnswer;
  /** Or about to be. */
  isShrunk: boolean;
  until: number;
  /** Since when its content may have changed unheard. */
  inDoubtSince: number | null;
  nextTry: number;
}

/**
 * Rendered pages in memory by their address, the least used go first. A page is made once for all who ask meanwhile, and
 * anew when content has changed (`forget`), when that may have happened unheard (`doubt`), and when its time is over.
 */
export class KeptPages {
  readonly #kept: LRUCache<string, KeptPage>;
  readonly #making = new Map<string, Promise<KeptAnswer>>();
  readonly #make: (address: string) => Promise<MadePage>;
  readonly #now: () => Date;
  readonly #limits: Keeping;
  /** Counts the changes; a page that was begun before one is not kept. */
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

  /** What is there and good; null for what has to be made. */
  find(address: string): KeptAnswer | null {
    const kept = this.#kept.get(address);
    if (!kept || !this.#isGood(kept)) return null;
    // It was asked for again: pages that nobody comes back to are not worth it.
    const { answer } = kept;
    kept.isShrunk ||= shrinkLater(answer, () => this.#kept.peek(address)?.answer.bytes === answer.bytes);
    return answer;
  }

  async answer(address: string): Promise<KeptAnswer> {
    return this.find(address) ?? this.#making.get(address) ?? this.#startMaking(address);
  }

  /** Content has changed: nothing that was made before is shown to anybody who asks from now on. */
  forget(): void {
    this.#changes++;
    this.#kept.clear();
    this.#making.clear();
  }

  /** From now on changes may go unheard. */
  doubt(): void {
    this.#hears = false;
    this.#interruptions++;
    const now = this.#now().getTime();
    for (const page of this.#kept.values()) page.inDoubtSince ??= now;
  }

  /** From now on every change is heard. */
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
