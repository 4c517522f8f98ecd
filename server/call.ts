import type { access } from "../contract/access.ts";
import type { Answer, Input, OperationName } from "../contract/operations.ts";
import type { Actor, ScopeOf } from "./access/scope.ts";
import type { Services } from "./services.ts";

/** Who calls and from where; actor is null for a visitor with a public token. */
export interface Call {
  actor: Actor | null;
  /** The `jti` of a visitor's public token; null for whoever is signed in. */
  publicTokenId: string | null;
  /** Client's address, taken from behind TRUST_PROXY proxies. */
  address: string;
  userAgent: string;
}

/** A call of one operation, with the scope that follows from its reach in the access table. */
export interface CallOf<Name extends OperationName> extends Call {
  scope: ScopeOf<(typeof access)[Name]["reach"]>;
}

/** Contract in, verb, contract out. */
export type Handler<Name extends OperationName> = (
  services: Services,
  call: CallOf<Name>,
  input: Input<Name>,
) => Promise<Answer<Name>>;

export type Handlers = { [Name in OperationName]: Handler<Name> };
