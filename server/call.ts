import type { access } from "../contract/access.ts";
import type { Answer, Input, OperationName } from "../contract/operations.ts";
import type { Actor, ScopeOf } from "./access/scope.ts";
import type { Services } from "./services.ts";

/** Who makes a request and from where; `actor` is null for a visitor with a public token. */
export interface Call {
  actor: Actor | null;
  /** The `jti` of a visitor's public token; null for a signed-in person. */
  publicTokenId: string | null;
  /** The client's address, as seen behind TRUST_PROXY proxies. */
  address: string;
  userAgent: string;
}

/** A request for one operation, with the scope that its reach in the access table grants. */
export interface CallOf<Name extends OperationName> extends Call {
  scope: ScopeOf<(typeof access)[Name]["reach"]>;
}

/** Takes input as the contract declares it, calls the capability's function, and answers as the contract declares. */
export type Handler<Name extends OperationName> = (
  services: Services,
  call: CallOf<Name>,
  input: Input<Name>,
) => Promise<Answer<Name>>;

export type Handlers = { [Name in OperationName]: Handler<Name> };
