import { areaOf } from "../../contract/roles.ts";
import type { Actor } from "../access/scope.ts";
import type { Gates } from "./gate.ts";
import { networkOf } from "./limiter.ts";

/** Takes in a file when whoever sends it has a place: administrators beside all others, whose places are shared out. */
export function uploadInTurn<Result>(
  { upload, staffUpload }: Gates,
  { actor, address }: { actor: Actor | null; address: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const { personId: person = address, organisationId: organisation = address } = actor ?? {};
  const enter = actor && areaOf(actor.role) === "admin" ? staffUpload : upload;
  return enter({ person, organisation, network: networkOf(address) }, work);
}
