import type { EngineProblem } from "../../../contract/engine-kinds.ts";

/** Thrown by every call while the process shuts down; it says nothing about the engine. */
export class EnginesStopped extends Error {}

/**
 * Why an engine gave no usable answer, in a sentence for administrators. It contains no credentials and nothing that
 * the engine wrote.
 */
export class EngineFailure extends Error {
  readonly problem: EngineProblem;
  /** How long the engine asks callers to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: EngineProblem, sentence: string, retryAfterSeconds: number | null = null) {
    super(sentence);
    this.name = "EngineFailure";
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Problems that may concern one record only, while the engine would still give all others. */
const ofOneRecord: ReadonlySet<EngineProblem> = new Set(["answer", "too_large", "down"]);

/**
 * Reads an extra part of one record; null if only that part fails, so that one bad record does not stop the others.
 * @throws EngineFailure for a problem that would affect the other records too
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
 * Asks for `count` records, and for half as many each time the answer is too large, down to one, so that a few very
 * large records can't block all others. @throws EngineFailure
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
