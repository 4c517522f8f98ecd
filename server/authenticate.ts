import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { access } from "../contract/access.ts";
import type { OperationName } from "../contract/operations.ts";
import { mayEnter } from "./accounts/suspended.ts";
import type { Actor, Call } from "./call.ts";
import { organisations, people, sessions } from "./database/schema/index.ts";
import { Failure } from "./errors.ts";
import type { Services } from "./services.ts";
import { readPublicToken, readSessionToken } from "./tokens.ts";

/** Somebody signed in may not do this; says who it was, for the trace. */
export class RoleRefused extends Failure {
  readonly actor: Actor;

  constructor(actor: Actor, sentence: string) {
    super("forbidden", sentence);
    this.actor = actor;
  }
}

/**
 * Who calls, checked against the access table; without an actor it is a visitor.
 * The person and the session are read at each call, so that a changed right counts at once.
 * @throws Failure unauthenticated without a valid token, forbidden when the role may not.
 */
export async function authorise(
  services: Services,
  name: OperationName,
  authorization: string | undefined,
): Promise<Pick<Call, "actor" | "publicTokenId">> {
  const { callers } = access[name];
  const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  if (callers === "anyone") return { actor: null, publicTokenId: null };
  if (!token) throw noToken();

  const publicTokenIdOf = () => readPublicToken(services.env.tokenSecret, token, services.now());
  if (callers === "public") {
    const publicTokenId = await publicTokenIdOf();
    if (publicTokenId) return { actor: null, publicTokenId };
  }
  const claims = await readSessionToken(services.env.tokenSecret, token, services.now());
  if (!claims) {
    const publicTokenId = await publicTokenIdOf();
    if (!publicTokenId) throw noToken();
    if (callers === "publicOrSession") return { actor: null, publicTokenId };
    throw new Failure("unauthenticated", "Please sign in.");
  }
  const actor = await findActor(services, claims.sid);
  if (!actor) throw noToken();
  if (callers === "session" || callers === "publicOrSession") return { actor, publicTokenId: null };
  if (callers === "public")
    throw new RoleRefused(actor, "This call takes a public token; get one from generate-token.");
  if (!callers.includes(actor.role)) throw new RoleRefused(actor, "Your role does not allow this.");
  return { actor, publicTokenId: null };
}

const noToken = () => new Failure("unauthenticated", "Your session has ended. Please sign in again.");

const prepared = new WeakMap<object, ReturnType<typeof prepareFindActor>>();

async function findActor(services: Services, sessionId: string): Promise<Actor | null> {
  let query = prepared.get(services);
  if (!query) prepared.set(services, (query = prepareFindActor(services)));
  const [actor] = await query.execute({ sessionId, now: services.now() });
  return actor ?? null;
}

/** Exported for the benchmark, which asks the same of a bare server. */
export function prepareFindActor({ database }: Pick<Services, "database">) {
  return database
    .select({
      personId: people.id,
      organisationId: people.organisationId,
      role: people.role,
      email: people.email,
      sessionId: sessions.id,
    })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(
      and(
        eq(sessions.id, sql.placeholder("sessionId")),
        gt(sessions.expiresAt, sql.placeholder("now")),
        isNull(sessions.revokedAt),
        mayEnter,
      ),
    )
    .prepare("find_actor");
}
