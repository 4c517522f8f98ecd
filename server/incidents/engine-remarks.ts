import { and, eq, isNull } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { incidentNews } from "../../contract/incident-states.ts";
import type { Transaction } from "../database/database.ts";
import { engineBindings, engineRemarks } from "../database/schema/index.ts";
import { EngineFailure, EnginesStopped } from "../outside/engines/engine-failure.ts";
import type { EngineProblem } from "../../contract/engine-kinds.ts";
import { isMovedAside } from "../engines/moved-aside.ts";
import { openBinding } from "../engines/open-binding.ts";
import type { Services } from "../services.ts";
import type { FactRow } from "./facts.ts";
import type { IncidentRow } from "./find-incident.ts";

const takesRemarks: ReadonlySet<string> = new Set(["iris", "thehive"]);
const told: ReadonlySet<FactRow["news"]> = new Set([
  "asked",
  "answered",
  "action",
  "contained",
  "resolved",
  "closed",
  "reopened",
  "commented",
  "severity",
]);

/**
 * Queues what a person tells here for the engine's case, once per fact; internal facts and the engine's own are not
 * sent.
 */
export async function queueRemark(
  services: Services,
  transaction: Transaction,
  { bindingId, externalId }: IncidentRow,
  fact: FactRow,
): Promise<void> {
  if (
    !bindingId ||
    !externalId ||
    isMovedAside(externalId) ||
    fact.by === "engine" ||
    fact.payload.internal ||
    !told.has(fact.news)
  )
    return;
  const [binding] = await transaction
    .select({ kind: engineBindings.kind })
    .from(engineBindings)
    .where(and(eq(engineBindings.id, bindingId), isNull(engineBindings.removedAt)));
  if (!binding || !takesRemarks.has(binding.kind)) return;
  const who = { us: "Our analyst", customer: "The customer", partner: "The partner", engine: "" }[fact.by];
  const { text = "", severity, reason } = fact.payload;
  const words = [`${who}: ${incidentNews[fact.news]}`, severity, fact.withdrawn ? "(taken back)" : "", text, reason]
    .filter(Boolean)
    .join("\n");
  await transaction
    .insert(engineRemarks)
    .values({ id: fact.id, bindingId, externalId, text: words, createdAt: services.now() })
    .onConflictDoNothing();
  await services.jobs.add(transaction, "send-engine-remark", { remarkId: fact.id });
}

/** Problems that no retry solves until somebody changes something. */
const hopeless: ReadonlySet<EngineProblem> = new Set(["permission", "tenant", "credential"]);
/** How long an unexpected answer is retried: it may be the engine's maintenance page. */
const oddFor = { days: 1 };

/** Writes a remark into the engine, unless it is there already. @throws EngineFailure, so that the queue retries */
export async function sendRemark(services: Services, remarkId: string): Promise<void> {
  const [found] = await services.database
    .select({ remark: engineRemarks, binding: engineBindings })
    .from(engineRemarks)
    .innerJoin(engineBindings, eq(engineBindings.id, engineRemarks.bindingId))
    .where(eq(engineRemarks.id, remarkId));
  if (!found || found.remark.sentAt || found.remark.givenUpAt) return;
  const { remark, binding } = found;
  const note = (set: Partial<typeof engineRemarks.$inferInsert>) =>
    services.database.update(engineRemarks).set(set).where(eq(engineRemarks.id, remarkId));
  const giveUp = (problem: string) => note({ givenUpAt: services.now(), problem });
  if (binding.removedAt) return void (await giveUp("The engine was removed."));
  if (isMovedAside(remark.externalId))
    return void (await giveUp("The engine that is bound now does not have this case."));
  try {
    const engine = openBinding(services, binding);
    try {
      await engine.remark?.({ incident: remark.externalId, id: remark.id, text: remark.text, at: remark.createdAt });
    } finally {
      engine.close();
    }
    await note({ sentAt: services.now(), problem: null });
  } catch (error) {
    if (error instanceof EnginesStopped || !(error instanceof EngineFailure)) throw error;
    const isOld = remark.createdAt < earlier(services.now(), oddFor);
    const isFinal = hopeless.has(error.problem) || (error.problem === "answer" && isOld);
    await note({ problem: error.message, ...(isFinal && { givenUpAt: services.now() }) });
    if (!isFinal) throw error;
  }
}
