import { useEffect } from "react";
import { toast } from "../toast.ts";
import { ListFailed } from "./list-state.tsx";

/** A list that could not be fetched: a toast at once, and what happened in its place until it has been tried again. */
export function LoadFailure({ short, message, onRetry }: { short: string; message: string; onRetry: () => void }) {
  useEffect(() => {
    toast.error(short, { id: short });
  }, [short]);
  return <ListFailed message={message} onRetry={onRetry} />;
}
