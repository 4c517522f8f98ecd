import { eq } from "drizzle-orm";
import { access, mayCall } from "../../contract/access.ts";
import { messages } from "../../contract/messages.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { Role } from "../../contract/roles.ts";
import { mayEnter } from "../access/suspended.ts";
import { type Actor, grantScope } from "../access/scope.ts";
import type { CallOf } from "../call.ts";
import { organisations, people, sessions } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { findActor } from "./find-actor.ts";
import type { Services } from "../services.ts";
import { readPublicToken, readSessionToken } from "../protection/tokens.ts";

/** A signed-in person's role does not allow this; carries who it was, for the trace. */
export class RoleRefused extends Failure {
  readonly actor: Actor;

  constructor(actor: Actor, sentence: string) {
    super("forbidden", sentence);
    this.actor = actor;
  }
}

/** What a token's signed content says: a forged token is refused without asking the database. */
export type Bearer = { publicTokenId: string } | SignedInBearer | null;
export interface SignedInBearer {
  sessionId: string;
  personId: string;
  role: Role;
}

/** Who calls an operation, and the scope of the call's reach, which is created only here. */
export type Caller<Name extends OperationName> = Pick<CallOf<Name>, "actor" | "publicTokenId" | "scope">;

/**
 * Reads the token that an operation needs; null where it needs none.
 * @throws Failure unauthenticated without a valid one
 */
export async function readBearer(
  services: Services,
  name: OperationName,
  authorization: string | undefined,
): Promise<Bearer> {
  const { callers } = access[name];
  if (callers === "anyone") return null;
  const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  if (!token)
    throw new Failure(
      "unauthenticated",
      callers === "public" ? "This call takes a public token; get one from generate-token." : "Please sign in.",
    );
  const asPublic = async () => {
    const publicTokenId = await readPublicToken(services.env.tokenSecret, token, services.now());
    return publicTokenId ? { publicTokenId } : null;
  };
  const asSession = async () => {
    const claims = await readSessionToken(services.env.tokenSecret, token, services.now());
    return claims && { sessionId: claims.sid, personId: claims.sub, role: claims.role };
  };
  // Tries the likelier kind first: each check costs verifying a signature.
  const bearer =
    callers === "public" ? ((await asPublic()) ?? (await asSession())) : ((await asSession()) ?? (await asPublic()));
  if (!bearer)
    throw callers === "public" || callers === "publicOrSession"
      ? new Failure("unauthenticated", "This page has been open for long. Please try again.")
      : sessionEnded();
  if ("publicTokenId" in bearer && callers !== "public" && callers !== "publicOrSession")
    throw new Failure("unauthenticated", "Please sign in.");
  return bearer;
}

/**
 * Who calls, checked against the access table; a visitor has no actor. The person and the session are read with each
 * call, so that changed rights apply at once.
 * @throws Failure unauthenticated when the session has ended, forbidden when the role may not
 */
export async function authorise<Name extends OperationName>(
  services: Services,
  name: Name,
  bearer: Bearer | Pick<SignedInBearer, "sessionId">,
): Promise<Caller<Name>> {
  const { callers, reach } = access[name];
  const scopeOf = (actor: Actor | null) => grantScope<(typeof access)[Name]["reach"]>(reach, actor);
  if (!bearer || "publicTokenId" in bearer)
    return { actor: null, publicTokenId: null, ...bearer, scope: scopeOf(null) };
  const actor = await findActor(services, bearer.sessionId);
  if (!actor) throw await whyEnded(services, bearer.sessionId);
  if (callers === "public")
    throw new RoleRefused(actor, "This call takes a public token; get one from generate-token.");
  if (!mayCall(name, actor.role)) throw new RoleRefused(actor, "Your role does not allow this.");
  return { actor, publicTokenId: null, scope: scopeOf(actor) };
}

/** Why a session is no longer valid: its person may have been suspended, which ends the session. */
async function whyEnded({ database }: Services, sessionId: string): Promise<Failure> {
  const [owner] = await database
    .select({ mayEnter })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(eq(sessions.id, sessionId));
  return owner && !owner.mayEnter ? new Failure("unauthenticated", messages.suspended) : sessionEnded();
}

const sessionEnded = () => new Failure("unauthenticated", "Your session has ended. Please sign in again.");
