import { mayCall } from "../../contract/access.ts";
import type { OperationName } from "../../contract/operations.ts";
import { useSession } from "../session.ts";

/** Tells whether the signed-in user may call an operation: it decides what is shown, the server what is done. */
export function useMayCall(): (name: OperationName) => boolean {
  const { role } = useSession();
  return (name) => role !== null && mayCall(name, role);
}
