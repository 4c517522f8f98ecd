import { useEffect } from "react";
import { useBlocker } from "react-router";

/** Whoever leaves with something typed and not saved is asked; `what` says where, such as "on the rate card". */
export function useKeepUnsaved(isDirty: boolean, what: string): void {
  const blocker = useBlocker(isDirty);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(`What you typed ${what} is not saved. Leave without it?`)) blocker.proceed();
    else blocker.reset();
  }, [blocker, what]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isDirty) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isDirty]);
}
