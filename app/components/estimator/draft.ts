import { useEffect, useLayoutEffect, useReducer } from "react";
import { z } from "zod";
import { limits } from "../../../contract/limits.ts";
import { SelectedDevice } from "../../../contract/quotes.ts";
import { type Selection, setDevice } from "./selection.ts";

export const emptyForm = {
  userName: "",
  userEmail: "",
  organizationName: "",
  phoneNumber: "",
  numberOfUsers: "",
  message: "",
};
export type QuoteFormValues = typeof emptyForm;

/** What someone entered so far; it outlives a reload and a sign-in. */
export interface Draft {
  selection: Selection;
  form: QuoteFormValues;
}

export type DraftAction =
  | { type: "restored"; draft: Draft }
  | { type: "deviceSet"; device: SelectedDevice }
  | { type: "selectionReplaced"; selection: Selection }
  | { type: "fieldChanged"; name: keyof QuoteFormValues; value: string }
  | { type: "sent" };

export const emptyDraft: Draft = { selection: [], form: emptyForm };

/** The draft after something was entered, restored or sent; the devices stay when an estimate was sent. */
export function reduceDraft(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case "restored":
      return action.draft;
    case "deviceSet": {
      const selection = setDevice(draft.selection, action.device);
      return selection === draft.selection ? draft : { ...draft, selection };
    }
    case "selectionReplaced":
      return { ...draft, selection: action.selection };
    case "fieldChanged":
      return { ...draft, form: { ...draft.form, [action.name]: action.value } };
    case "sent":
      return { ...draft, form: emptyForm };
  }
}

/** The draft as state, taken up again after a reload or a sign-in, and kept as it changes. */
export function useDraft() {
  const [draft, dispatch] = useReducer(reduceDraft, emptyDraft);
  // Before the first paint, so that nobody sees an empty estimate fill itself.
  useLayoutEffect(() => {
    const kept = readDraft(stored());
    if (kept) dispatch({ type: "restored", draft: kept });
  }, []);
  useEffect(() => {
    if (draft !== emptyDraft) store(draft);
  }, [draft]);
  return [draft, dispatch] as const;
}

const storageKey = "estimate-draft";
const version = 1;
const StoredDraft = z.object({
  version: z.literal(version),
  selection: z.array(z.unknown()),
  form: z.record(z.string(), z.unknown()),
});

/** A kept draft, or null when there is none; entries that no longer make sense are left out. */
export function readDraft(text: string | null): Draft | null {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "null");
  } catch {
    return null;
  }
  const { data } = StoredDraft.safeParse(kept);
  if (!data) return null;
  const devices = data.selection.flatMap((entry) => SelectedDevice.safeParse(entry).data ?? []);
  const selection = devices.slice(0, limits.deviceTypesMax).reduce(setDevice, emptyDraft.selection);
  const fieldOf = (name: string) => (typeof data.form[name] === "string" ? data.form[name] : "");
  const form = Object.fromEntries(Object.keys(emptyForm).map((name) => [name, fieldOf(name)])) as QuoteFormValues;
  return { selection, form };
}

export function writeDraft({ selection, form }: Draft): string {
  return JSON.stringify({ version, selection, form });
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(draft: Draft): void {
  try {
    localStorage.setItem(storageKey, writeDraft(draft));
  } catch {
    // A full or forbidden storage costs the draft, not the estimate.
  }
}
