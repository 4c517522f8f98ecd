import { useRef } from "react";

/**
 * Ids for a form's content. Sent again after a lost answer, the same content has the same id and is stored once;
 * changed content gets an id of its own. Call `forget` once it has arrived, as the same content may then be meant as a
 * new entry. `before` is the content and id of an attempt before a reload.
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
