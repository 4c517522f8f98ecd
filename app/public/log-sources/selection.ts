import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { useAddress } from "../../lists/use-address.ts";

/** The search in the catalogue; kept in the page's address, so that it can be shared. */
export interface Selection {
  text: string;
  categories: string[];
}

export function readSelection(params: URLSearchParams): Selection {
  const categories = [...new Set(params.getAll("category"))].slice(0, limits.categoriesMax);
  return { text: (params.get("q") ?? "").slice(0, limits.searchLengthMax).trim(), categories };
}

function writeSelection({ text, categories }: Selection): URLSearchParams {
  return new URLSearchParams([...(text ? [["q", text]] : []), ...categories.map((category) => ["category", category])]);
}

export const sameSelection = (one: Selection, other: Selection) =>
  writeSelection(one).toString() === writeSelection(other).toString();

/** Without text the catalogue is listed, with text it is searched. */
export const operationFor = ({ text }: Selection) => (text === "" ? "logs" : "logs/search");

/** The input of both operations for the page that starts at `startingNode`. */
export function pageInput({ text, categories }: Selection, startingNode: number) {
  return { searchQuery: text, categories, startingNode, limit: limits.cataloguePage };
}

/** The address of the page that starts at `from`, for readers without script. */
export function addressFrom(selection: Selection, from: number): string {
  const params = writeSelection(selection);
  if (from > 0) params.set("from", String(from));
  return params.size > 0 ? `/LogInjection?${params}` : "/LogInjection";
}

/**
 * The address's selection, and functions to change it. `text` and `chosen` are the fields' current values: the address
 * follows, for the text when typing pauses.
 */
export function useSelection() {
  const [params, change] = useAddress();
  const selection = useMemo(() => readSelection(params), [params]);
  const [text, setText] = useState(selection.text);
  const [chosen, setChosen] = useState(selection.categories);
  useEffect(() => setChosen(selection.categories), [selection.categories]);
  const sent = useRef(selection.text);
  const show = (changed: { q: string } | { category: string[] }) =>
    change({ ...changed, from: null }, { replace: true, preventScrollReset: true });
  const showText = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim();
    show({ q: sent.current });
  }, limits.searchDebounceMs);
  // After following a link to this page, the field takes the link's text.
  useEffect(() => {
    if (selection.text === sent.current) return;
    sent.current = selection.text;
    setText(selection.text);
  }, [selection.text]);
  return {
    selection,
    text,
    setText: (typed: string) => {
      setText(typed);
      showText(typed);
    },
    chosen,
    setCategories: (categories: string[]) => {
      setChosen(categories);
      show({ category: categories });
    },
  };
}
