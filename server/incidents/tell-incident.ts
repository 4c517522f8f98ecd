import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import type { IncidentPayload } from "../../contract/incident-payload.ts";
import { incidentNews, incidentStates } from "../../contract/incident-states.ts";
import type { TellInput } from "../../contract/incident-operations.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { people } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { addFacts, type FactRow, type NewFact, readFacts } from "./facts.ts";
import { type IncidentRow, type IncidentScope, lockIncident, sideOf } from "./find-incident.ts";
import { type Fact, replay, rootsOf, type Wait } from "./replay.ts";
import { settleIncident } from "./settle-incident.ts";
import { tellFact } from "./tell-people.ts";
import { type Earliest, startOfMinute, toldTime } from "./told-time.ts";
import { queueRemark } from "./engine-remarks.ts";

/** Adds a fact that our team tells about an incident, or corrects one. @throws Failure not_found, conflict, invalid */
export async function tellIncident(services: Services, scope: Scope<"any">, given: TellInput): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const incident = await lockIncident(transaction, scope, given.id);
    const before = await readFacts(transaction, incident.id);
    const told = ofItsQuestion(before, given);
    const earliest = earliestOf(before, told, incident);
    const occurredAt = toldTime(services, "occurred_at", told.occurred_at, earliest);
    const payload = await payloadOf(transaction, scope, told);
    await tell(services, transaction, scope, incident, {
      id: told.fact_id,
      news: told.news,
      occurredAt,
      by: "us",
      personId: scope.actor.personId,
      payload,
      corrects: told.corrects ?? null,
      withdrawn: told.withdrawn ?? false,
      eventKey: told.fact_id,
    });
    return told.corrects ? "Corrected. Both stay in the timeline." : "Noted.";
  });
}

/** A corrected answer still answers the same question. */
function ofItsQuestion(before: readonly FactRow[], told: TellInput): TellInput {
  const ask = before.find(({ id, news }) => id === told.corrects && news === "answered")?.payload.ask;
  return ask ? { ...told, ask } : told;
}

/** An act dated before the incident would keep promises that had not begun. */
const beforeIncident =
  "This is before the incident was detected or reported. Please give a later time, and describe in words what came before.";
const beforeQuestion = "This is before the question was asked. Please give a later time.";
const beforeWait = "This is before the wait began. Please give a later time.";

const nothingWaited =
  "The incident did not wait for them at that time. Somebody may have been faster: reload to see how it stands.";

/** An answer can't precede its question, nor the end of a wait its beginning: clocks would pause for ever. */
function earliestOf(before: readonly FactRow[], told: TellInput, { openedAt }: IncidentRow): Earliest {
  const began = { at: openedAt, sentence: beforeIncident };
  // A withdrawn fact has no time to check, and a repeated call changes nothing.
  if (told.withdrawn || before.some(({ eventKey }) => eventKey === told.fact_id)) return began;
  if (told.news === "answered") {
    const question = questionOf(before, told.ask);
    return question ? { at: question.occurredAt, sentence: beforeQuestion } : began;
  }
  if (told.news !== "resumed") return began;
  const waits = waitsEndedBy(before, told);
  const at = told.occurred_at ? new Date(told.occurred_at) : null;
  const wait = waits.findLast(({ from }) => !at || startOfMinute(from) <= at) ?? waits[0];
  return wait ? { at: wait.from, sentence: beforeWait } : began;
}

/** The question as it stands now, however often it was corrected. */
function questionOf(before: readonly FactRow[], ask = ""): Fact | undefined {
  const rootOf = rootsOf(before);
  return replay(before).facts.find(({ id, news }) => news === "asked" && rootOf(id) === rootOf(ask));
}

/** The open waits, earliest first; for a correction, those open at the time of the fact that it corrects. */
function waitsEndedBy(before: readonly FactRow[], { corrects, waits_for: waitsFor }: TellInput): Wait[] {
  const rootOf = rootsOf(before);
  const corrected = before.find(({ id }) => id === corrects);
  const others = before.filter(({ id }) => !corrected || rootOf(id) !== rootOf(corrected.id));
  return replay(others).waits.filter(
    ({ waits, to }) => waits === waitsFor && (to === null || (corrected && to > corrected.occurredAt)),
  );
}

async function payloadOf(transaction: Transaction, scope: Scope<"any">, told: TellInput): Promise<IncidentPayload> {
  const { news, text, severity, waits_for: waits, reason, ask, verdict, internal } = told;
  if (!told.withdrawn) refuseLacking(told);
  return {
    ...(text && { text }),
    ...(news === "severity" && severity && { severity }),
    ...(news === "owner" && (await ownerOf(transaction, scope, told.owner_email))),
    ...((news === "asked" || news === "waiting" || news === "resumed") && waits && { waits, reason }),
    ...(news === "answered" && ask && { ask }),
    ...(news === "closed" && { verdict: verdict ?? "true_positive" }),
    ...(internal && news === "commented" && { internal }),
  };
}

function refuseLacking({ news, text, severity, waits_for: waits, reason, ask }: TellInput): void {
  if ((news === "asked" || news === "commented" || news === "answered") && !text)
    throw invalidField("text", "Please write what is to be said.");
  if (news === "severity" && !severity) throw invalidField("severity", "Please choose a severity.");
  if ((news === "waiting" || news === "resumed") && !waits)
    throw invalidField("waits_for", "Please say for whom it waits.");
  if (news === "waiting" && !reason) throw invalidField("reason", "Please say why: without a reason no clock pauses.");
  if (news === "asked" && waits && !reason) throw invalidField("reason", "Please say why clocks are to pause.");
  if (news === "answered" && !ask) throw invalidField("ask", "Please say which question was answered.");
}

async function ownerOf(transaction: Transaction, { actor }: Scope<"any">, email = actor.email) {
  const [owner] = await transaction
    .select({ id: people.id })
    .from(people)
    .where(
      and(
        eq(people.email, email),
        inArray(people.role, ["admin", "adminChild"]),
        isNotNull(people.joinedAt),
        isNull(people.suspendedAt),
      ),
    );
  if (!owner) throw invalidField("owner_email", "Nobody of ours has this e-mail address.");
  return { ownerId: owner.id };
}

/** Adds a comment by the customer or its partner. @throws Failure not_found, conflict */
export async function commentIncident(
  services: Services,
  scope: Scope<"organisation"> | Scope<"customers">,
  { id, fact_id, text }: Input<"user/incidents/comment">,
): Promise<string> {
  await tellByOthers(services, scope, { id, fact_id }, "commented", { text });
  return "Your comment is sent.";
}

/** Adds the customer's answer to one of our questions. @throws Failure not_found, conflict */
export async function answerQuestion(
  services: Services,
  scope: Scope<"organisation">,
  { id, fact_id, ask, text }: Input<"user/incidents/answer">,
): Promise<string> {
  await tellByOthers(services, scope, { id, fact_id }, "answered", { ask, text });
  return "Thank you, we have your answer.";
}

async function tellByOthers(
  services: Services,
  scope: Scope<"organisation"> | Scope<"customers">,
  { id, fact_id }: { id: string; fact_id: string },
  news: "commented" | "answered",
  payload: IncidentPayload,
): Promise<void> {
  await services.limiter.consume("incidentByAccount", scope.actor.personId);
  await services.database.transaction(async (transaction) => {
    const incident = await lockIncident(transaction, scope, id);
    await tell(services, transaction, scope, incident, {
      id: fact_id,
      news,
      occurredAt: services.now(),
      by: sideOf[scope.reach],
      personId: scope.actor.personId,
      payload,
      eventKey: fact_id,
    });
  });
}

/**
 * Adds a fact unless it is there already; refuses one that the table of states does not allow. The caller has locked
 * the incident.
 */
async function tell(
  services: Services,
  transaction: Transaction,
  scope: IncidentScope,
  incident: IncidentRow,
  fact: NewFact & { id: string },
): Promise<void> {
  const before = await readFacts(transaction, incident.id);
  if (before.some(({ eventKey }) => eventKey === fact.eventKey)) return;
  refuseImpossible(before, fact);
  const [added] = await addFacts(transaction, incident.id, services.now(), [asHiddenAsBefore(before, fact)]);
  // The id is taken by a fact of another incident.
  if (!added) throw notFound("This incident");
  const { replayed } = await settleIncident(services, transaction, incident);
  await tellFact(services, transaction, incident, replayed, added);
  await queueRemark(services, transaction, incident, added);
  await audit(transaction, scope.actor.personId, "tell incident", `incident:${incident.id}`, {
    news: fact.news,
    at: fact.occurredAt.toISOString(),
    ...(fact.corrects && { corrects: fact.corrects, withdrawn: fact.withdrawn ?? false }),
  });
}

/** An internal fact stays internal when it is corrected or withdrawn, whatever the client sends. */
function asHiddenAsBefore<Told extends NewFact>(before: readonly FactRow[], fact: Told): Told {
  const isHidden = before.some(({ id, payload }) => id === fact.corrects && payload.internal);
  return isHidden ? { ...fact, payload: { ...fact.payload, internal: true } } : fact;
}

function refuseImpossible(before: readonly FactRow[], fact: NewFact & { id: string }): void {
  const replayed = replay(before);
  if (fact.corrects) {
    const corrected = before.find(({ id }) => id === fact.corrects);
    if (!corrected || corrected.withdrawn) throw notFound("What this corrects");
    if (corrected.news !== fact.news)
      throw invalidField("news", "A correction is of the same kind as what it corrects.");
    if (before.some(({ corrects }) => corrects === fact.corrects))
      throw new Failure("conflict", "Somebody has corrected this already: correct what stands now.");
  }
  if (fact.payload?.ask) {
    const asked = replayed.openAsks.some(({ id }) => id === fact.payload?.ask);
    if (!asked && !fact.corrects)
      throw new Failure("conflict", "This question is answered already, or was taken back.");
  }
  if (fact.withdrawn) return;
  const placed: FactRow = {
    recordedAt: fact.occurredAt,
    incidentId: "",
    personId: null,
    payload: {},
    corrects: null,
    withdrawn: false,
    serial: Infinity,
    ...fact,
  };
  const { facts, waits } = replay([...before, placed]);
  const isIn = facts.includes(placed);
  // Compared by identity: `replay` sets the end of a wait to the Date of the fact that ends it.
  if (isIn && placed.news === "resumed" && !waits.some(({ to }) => to === placed.occurredAt))
    throw new Failure("conflict", nothingWaited);
  if (isIn) return;
  throw new Failure(
    "conflict",
    `“${incidentNews[fact.news]}” can't be told of an incident that is “${incidentStates[replayed.state].toLowerCase()}”. Somebody may have been faster: reload to see how it stands.`,
  );
}
