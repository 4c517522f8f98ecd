import type { EngineProblem } from "../../../contract/engine-kinds.ts";

/** Thrown by every call once the process ends: nothing is known of the engine by it. */
export class EnginesStopped extends Error {}

/**
 * Why an engine gave no answer that can be used, in a sentence for administrators. It holds no credential and nothing
 * that the engine wrote.
 */
export class EngineFailure extends Error {
  readonly problem: EngineProblem;
  /** How long the engine asks to be left alone. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: EngineProblem, sentence: string, retryAfterSeconds: number | null = null) {
    super(sentence);
    this.name = "EngineFailure";
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What may be wrong with one record alone, while the engine would give all others. */
const ofOneRecord: ReadonlySet<EngineProblem> = new Set(["answer", "too_large", "down"]);

/**
 * What one record has besides, or null where it can't be had: no record takes the others along. @throws EngineFailure for what
 * would keep the others' from us as well
 */
export async function nullIfFailing<Part>(read: () => Promise<Part>): Promise<Part | null> {
  try {
    return await read();
  } catch (error) {
    const isOfThisOne =
      error instanceof EngineFailure && ofOneRecord.has(error.problem) && error.retryAfterSeconds === null;
    if (!isOfThisOne) throw error;
    return null;
  }
}

/**
 * Asks for so many records at once, and for half as many each time that the answer is too large, down to one: nobody who
 * writes much into a few of them keeps the others from us. @throws EngineFailure
 */
export async function halving<Answer>(count: number, ask: (count: number) => Promise<Answer>): Promise<Answer> {
  try {
    return await ask(count);
  } catch (error) {
    const isTooLarge = error instanceof EngineFailure && error.problem === "too_large";
    if (!isTooLarge || count <= 1) throw error;
    return halving(Math.floor(count / 2), ask);
  }
}
