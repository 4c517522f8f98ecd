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

/** What one record has besides, or null where the engine fails to give it: no record takes the others along. */
export async function nullIfFailing<Part>(read: () => Promise<Part>): Promise<Part | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EngineFailure) return null;
    throw error;
  }
}
