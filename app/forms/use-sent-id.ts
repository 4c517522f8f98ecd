import { useRef } from "react";

/**
 * The ids that a form's content is sent under. Sent again, after an answer that was lost, the same content has the same id
 * and is kept once; what is corrected or added is something else to the server, and has one of its own. `forget` once it
 * has arrived: the same may be meant anew then. `before` is what was sent, under which id, before the page was loaded again.
 */
export function useSentId(before: readonly [content: unknown, id: string] | null = null) {
  const ids = useRef(new Map(before ? [[JSON.stringify(before[0]), before[1]]] : []));
  return {
    idOf(content: unknown): string {
      const of = JSON.stringify(content);
      const id = ids.current.get(of) ?? crypto.randomUUID();
      ids.current.set(of, id);
      return id;
    },
    forget: () => ids.current.clear(),
  };
}
