import { areaOf } from "../../contract/roles.ts";
import type { Actor } from "../access/scope.ts";
import type { Gates } from "./gate.ts";
import { networkOf } from "./limiter.ts";

type Caller = Pick<Actor, "personId" | "organisationId" | "role">;

/** Whose turn it is at the visitors' gate when we make a page: it is kept and shown to everybody. */
export const ownPages = { network: "our own pages" };

/** Runs a signed-in person's call when it has a place: administrators have their own gate, all others share places. */
export function callInTurn<Result>({ signedIn, staff }: Gates, caller: Caller, work: () => Promise<Result>) {
  const enter = isStaff(caller) ? staff : signedIn;
  return enter({ person: caller.personId, organisation: caller.organisationId }, work);
}

/** Accepts an upload when its sender has a place, likewise. */
export function uploadInTurn<Result>(
  { upload, staffUpload }: Gates,
  { actor, address }: { actor: Actor | null; address: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const enter = actor && isStaff(actor) ? staffUpload : upload;
  return enter({ ...sharesOf(actor, address), network: networkOf(address) }, work);
}

/** The caller's shares; a visitor's are by address. */
export const sharesOf = (actor: Actor | null, address: string) => {
  const { personId: person = address, organisationId: organisation = address } = actor ?? {};
  return { person, organisation };
};

const isStaff = ({ role }: Pick<Actor, "role">) => areaOf(role) === "admin";
