import { useEffect } from "react";
import { toast } from "../toast.ts";
import { ListFailed } from "./list-state.tsx";

/** A failed list: a toast at once, and the error in the list's place until a retry. */
export function LoadFailure({ short, message, onRetry }: { short: string; message: string; onRetry: () => void }) {
  useEffect(() => {
    toast.error(short, { id: short });
  }, [short]);
  return <ListFailed message={message} onRetry={onRetry} />;
}
