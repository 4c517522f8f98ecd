import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { RateCardContent, Rates } from "../../../contract/rates.ts";
import { ApiError, call } from "../../api.ts";
import { keepTyped, keptTyped } from "../../forms/kept-typed.ts";
import { toast } from "../../toast.ts";
import { mergeCards, type Overruled } from "./merge-cards.ts";
import { contentOf, isSame, type TypedCard, typedFrom } from "./typed-card.ts";

export const ratesKey = ["admin/rates"];
/** The name under which unsaved input is kept. */
export const cardKeptAs = "rate card";

/** The saved state: the draft, or the latest card if there is none. */
interface Saved {
  id: string;
  content: RateCardContent;
}

/**
 * The state of the card editor: what is typed, what is saved, and what can be done. Somebody else's save never
 * overwrites what is typed: the editor tells of it and can merge it.
 */
export function useCardEditor(rates: Rates) {
  const queries = useQueryClient();
  const now: Saved = rates.draft ?? rates.latest;
  const [kept] = useState(() => keptTyped(cardKeptAs) as { saved: Saved; typed: TypedCard } | null);
  const [saved, setSaved] = useState<Saved>(kept?.saved ?? now);
  const [typed, setTyped] = useState<TypedCard>(() => kept?.typed ?? typedFrom(now.content));
  const [overruled, setOverruled] = useState<Overruled>({});
  const [checked, setChecked] = useState(false);
  const content = useMemo(() => contentOf(typed), [typed]);
  const isDirty = !isSame(content, normal(saved.content));
  useEffect(() => keepTyped(cardKeptAs, isDirty ? { saved, typed } : null), [isDirty, saved, typed]);
  const checks = useQuery({ ...checksQuery, enabled: isDirty || rates.draft !== null });
  const problems = useMemo(() => checks.data?.problemsOf(typed) ?? noProblems, [checks.data, typed]);
  // After a save, the cards in the cache are older than what was saved until they are refetched.
  const [stale, setStale] = useState<string | null>(null);
  const overtaken = now.id !== saved.id && now.id !== stale;
  const load = useCallback((next: Saved) => {
    setSaved(next);
    setStale(null);
    setTyped(typedFrom(next.content));
    setOverruled({});
    setChecked(false);
  }, []);
  useEffect(() => {
    if (overtaken && !isDirty) load(now);
  }, [overtaken, isDirty, now, load]);
  const refresh = () => queries.invalidateQueries({ queryKey: ratesKey });
  const save = useMutation({
    mutationFn: async () => {
      const { id, message } = await call("admin/rates/save-draft", { id: saved.id, content });
      return { id, message, content };
    },
    onSuccess: async (kept) => {
      setSaved({ id: kept.id, content: kept.content });
      setStale(now.id);
      setOverruled({});
      await refresh();
    },
    onError: (error) => error instanceof ApiError && error.status === 409 && void refresh(),
  });
  return {
    typed,
    change: setTyped,
    content,
    problems: checked ? problems : noProblems,
    isValid: (checks.isSuccess || checks.isError) && Object.keys(problems).length === 0,
    isDirty,
    overtaken: overtaken && isDirty,
    overruled,
    saved,
    save,
    refresh,
    /** Shows the problems; returns whether there are none. If the schema can't be loaded, the server decides. */
    async check() {
      setChecked(true);
      const found = await queries.fetchQuery(checksQuery).catch(() => null);
      return Object.keys(found?.problemsOf(typed) ?? noProblems).length === 0;
    },
    bringIn() {
      const [merged, both] = mergeCards(typedFrom(saved.content), typed, typedFrom(now.content));
      setSaved(now);
      setStale(null);
      setTyped(merged);
      setOverruled(both);
      save.reset();
    },
    dropMine() {
      load(now);
      save.reset();
    },
    async saveDraft() {
      const { message } = await save.mutateAsync();
      toast.success(message);
    },
  };
}

export type CardEditor = ReturnType<typeof useCardEditor>;

const noProblems: Record<string, string> = {};

/** The check by the contract's schema, in a chunk of its own. */
const checksQuery = {
  queryKey: ["checks of the rate card"],
  queryFn: async () => ({ problemsOf: (await import("./checks.ts")).problemsOf }),
  staleTime: Infinity,
};

/** Normalised like typed content, so that the two can be compared. */
const normal = (content: RateCardContent) => contentOf(typedFrom(content));
