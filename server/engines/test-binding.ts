import { engineKinds } from "../../contract/engine-kinds.ts";
import type { BindingInput, TestResult } from "../../contract/engines.ts";
import type { Scope } from "../access/scope.ts";
import { EngineFailure } from "../outside/engines/engine-failure.ts";
import type { Services } from "../services.ts";
import { typedBinding } from "./bindings.ts";

/** A clock further off than this is mentioned in the result. */
const skewSecondsMax = 120;

/** Probes an engine by a binding as entered, and describes the result in words. */
export async function testBinding(services: Services, scope: Scope<"any">, input: BindingInput): Promise<TestResult> {
  await services.limiter.consume("engineTestByAccount", scope.actor.personId);
  const engine = services.engines.open(await typedBinding(services, scope, input));
  try {
    const { version, skewSeconds } = await engine.probe();
    const { name } = engineKinds[input.kind];
    const told =
      version === null ? `${name} answers; it does not say its version.` : `It answers, as version ${version}.`;
    return { ok: true, message: told + sayClock(skewSeconds), problem: null, engineVersion: version, skewSeconds };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    return { ok: false, message: error.message, problem: error.problem, engineVersion: null, skewSeconds: null };
  } finally {
    engine.close();
  }
}

function sayClock(skewSeconds: number | null): string {
  if (skewSeconds === null || Math.abs(skewSeconds) < skewSecondsMax) return "";
  const minutes = Math.round(Math.abs(skewSeconds) / 60);
  const way = skewSeconds > 0 ? "ahead of" : "behind";
  return ` Its clock is ${minutes} minutes ${way} ours: the times that it gives are corrected by that. Set its clock right.`;
}
