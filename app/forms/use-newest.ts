import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/**
 * A record as it was when its dialog was opened; once `look` is called, as the list has it by then: for a change that was
 * refused because somebody else had changed it. `idName` is the name of its id.
 */
export function useNewest<Opened extends { version: number } | "new">(
  list: string,
  idName: "id" | "key",
  opened: Opened,
): readonly [Opened, look: () => void] {
  const queries = useQueryClient();
  const [newer, setNewer] = useState<Opened | null>(null);
  const look = () => {
    if (opened === "new") return;
    const isIt = (each: object) => "version" in each && Reflect.get(each, idName) === Reflect.get(opened, idName);
    for (const [, answer] of queries.getQueriesData({ queryKey: [list] })) {
      const found = findWithin(answer, isIt);
      if (found) return setNewer(found as Opened);
    }
  };
  return [newer ?? opened, look];
}

/** The first object in an answer, whatever it is wrapped in, that is meant. */
function findWithin(answer: unknown, isIt: (each: object) => boolean): object | null {
  if (typeof answer !== "object" || answer === null) return null;
  if (isIt(answer)) return answer;
  for (const part of Object.values(answer)) {
    const found = findWithin(part, isIt);
    if (found) return found;
  }
  return null;
}
