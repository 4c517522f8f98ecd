import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/**
 * A record as of opening its dialog; after `look`, as the list has it by then, for a change that was refused because
 * somebody else had changed the record. `look` returns whether there is a newer version. `idName` is the name of the
 * record's id.
 */
export function useNewest<Opened extends { version: number } | "new">(
  list: string,
  idName: "id" | "key",
  opened: Opened,
): readonly [Opened, look: () => boolean] {
  const queries = useQueryClient();
  const [newer, setNewer] = useState<Opened | null>(null);
  const seen = newer ?? opened;
  const look = () => {
    if (seen === "new") return false;
    const isNewer = (each: object) =>
      "version" in each &&
      Number(each.version) > seen.version &&
      Reflect.get(each, idName) === Reflect.get(seen, idName);
    for (const [, answer] of queries.getQueriesData({ queryKey: [list] })) {
      const found = findWithin(answer, isNewer);
      if (found) setNewer(found as Opened);
      if (found) return true;
    }
    return false;
  };
  return [seen, look];
}

/** The first matching object anywhere within an answer. */
function findWithin(answer: unknown, isIt: (each: object) => boolean): object | null {
  if (typeof answer !== "object" || answer === null) return null;
  if (isIt(answer)) return answer;
  for (const part of Object.values(answer)) {
    const found = findWithin(part, isIt);
    if (found) return found;
  }
  return null;
}
