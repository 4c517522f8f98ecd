import type { Answer, Input, OperationName } from "../contract/operations.ts";
import type { Role } from "../contract/roles.ts";
import { Failure } from "./failures/failure.ts";
import type { Services } from "./services.ts";

/** Someone signed in. Every query about records takes one. */
export interface Actor {
  personId: string;
  organisationId: string;
  role: Role;
  email: string;
  sessionId: string;
}

/** Who calls and from where; actor is null for a visitor with a public token. */
export interface Call {
  actor: Actor | null;
  /** The `jti` of a visitor's public token; null for whoever is signed in. */
  publicTokenId: string | null;
  /** Client's address, taken from behind TRUST_PROXY proxies. */
  address: string;
  userAgent: string;
}

/** Contract in, verb, contract out. */
export type Handler<Name extends OperationName> = (
  services: Services,
  call: Call,
  input: Input<Name>,
) => Promise<Answer<Name>>;

export type Handlers = { [Name in OperationName]: Handler<Name> };

/** The caller of an operation that needs a session. */
export function signedIn(call: Call): Actor {
  if (!call.actor) throw new Failure("unauthenticated", "Please sign in.");
  return call.actor;
}
