import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Post, PostContent } from "../../../contract/posts.ts";
import { ApiError, call } from "../../api.ts";
import { goToField } from "../../forms/form-errors.ts";
import { keepTyped, keptTyped } from "../../forms/kept-typed.ts";
import { toast } from "../../toast.ts";
import { changesBetween, type Field, mergePosts } from "./post-changes.ts";

/** The version of an article that this editor has seen. */
interface Seen {
  id: string;
  version: number;
}

/** The name under which an article's unsaved content is kept. */
export const keptName = (id: string | null) => `article ${id ?? "new"}`;
interface KeptPost {
  version: number;
  base: PostContent;
  typed: PostContent;
}

const postKey = (id: string | null) => ["admin/posts/post", id];

/** Error sentences by field name. */
type Problems = Partial<Record<string, string>>;

interface Saved {
  /** 0 before the first save. */
  version: number;
  content: PostContent;
}

/**
 * The state of one article's editor: what is typed, what is saved, and what can be done. Somebody else's change never
 * overwrites what is typed: the editor tells of it and can merge it.
 */
export function usePostEditor(id: string | null, first: PostContent, now: Post | null) {
  const [kept] = useState(() => keptTyped(keptName(id)) as KeptPost | null);
  const [saved, setSaved] = useState<Saved>(
    kept ? { version: kept.version, content: kept.base } : { version: now?.version ?? 0, content: first },
  );
  const [typed, setTyped] = useState<PostContent>(kept?.typed ?? first);
  const [loads, setLoads] = useState(0);
  const [isBack, setIsBack] = useState(kept !== null);
  const [both, setBoth] = useState<Field[]>([]);
  const [problems, setProblems] = useState<Problems>({});
  const isDirty = changesBetween(saved.content, typed).length > 0;
  useEffect(() => {
    keepTyped(keptName(id), isDirty ? { version: saved.version, base: saved.content, typed } : null);
  }, [id, isDirty, saved, typed]);

  const load = useCallback((next: Saved, content: PostContent) => {
    setSaved(next);
    setTyped(content);
    setLoads((count) => count + 1);
    setProblems({});
    setIsBack(false);
  }, []);
  const hasNews = now !== null && now.version > saved.version;
  // Somebody else only published or unpublished it: the content that is edited here did not change.
  const isOnlyNewer = hasNews && changesBetween(saved.content, now.content).length === 0;
  useEffect(() => {
    if (!hasNews) return;
    if (isOnlyNewer) setSaved({ version: now.version, content: now.content });
    else if (!isDirty) load(now, now.content);
  }, [hasNews, isOnlyNewer, isDirty, now, load]);
  const [told, setTold] = useState(0);
  /** Says what is wrong beside the fields, and goes to the first. */
  const tellProblems = (wrong: Problems) => {
    setProblems(wrong);
    setTold((times) => times + 1);
  };
  useEffect(() => {
    if (told > 0) goToProblem();
  }, [told]);
  const { save, act, madeId, begin } = usePostActions(
    id,
    { typed, isDirty, version: saved.version, setProblems, tellProblems },
    (made) => {
      setSaved(made);
      setBoth([]);
      setIsBack(false);
    },
  );
  return {
    typed,
    change(change: Partial<PostContent>) {
      setTyped((before) => ({ ...before, ...change }));
      const isOther = ([name]: [string, unknown]) => !(name in change);
      setProblems((before) => Object.fromEntries(Object.entries(before).filter(isOther)));
    },
    saved,
    isDirty,
    /** What is typed was restored after a reload. */
    isBack: isBack && isDirty,
    overtaken: hasNews && !isOnlyNewer && isDirty,
    both,
    problems,
    setProblems,
    tellProblems,
    save,
    act,
    madeId,
    /** Somebody deleted the article meanwhile: what is typed can be saved as a new one. */
    isGone: [save.error, act.error].some((error) => error instanceof ApiError && error.status === 404),
    begin,
    /** Changes whenever the content is replaced from outside the keyboard. */
    loads,
    bringIn() {
      if (!now) return;
      const { merged, both: ofBoth } = mergePosts(saved.content, typed, now.content);
      load(now, merged);
      setBoth(ofBoth);
      save.reset();
    },
    dropMine() {
      load(now ?? saved, now?.content ?? first);
      setBoth([]);
      save.reset();
    },
  };
}

export type PostEditing = ReturnType<typeof usePostEditor>;

/** The article's calls to the server; errors are shown beside the fields. */
function usePostActions(
  id: string | null,
  { typed, isDirty, version, setProblems, tellProblems }: ToSend,
  onSaved: (saved: Saved) => void,
) {
  const queries = useQueryClient();
  // A new article has an id from its first save on, even if the action that followed the save fails.
  const [madeId, setMadeId] = useState(id);
  const refresh = () => queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => isOfPosts(name) });
  const failed = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    tellProblems(namedAsTyped(error.fields));
    if (error.status === 409) void refresh();
  };
  const isToBegin = useRef(false);
  const save = useMutation({
    async mutationFn(content: PostContent) {
      if (!madeId || isToBegin.current) return { content, ...(await call("admin/posts/add", content)) };
      return { id: madeId, content, ...(await call("admin/posts/save", { id: madeId, version, content })) };
    },
    async onSuccess({ id: made, version: newest, content }) {
      isToBegin.current = false;
      setMadeId(made);
      onSaved({ version: newest, content });
      setProblems({});
      await refresh();
    },
    onError: failed,
  });
  /** Saves pending changes first. */
  const act = useMutation({
    async mutationFn(ask: (seen: Seen) => Promise<{ message: string }>) {
      const seen = isDirty || !madeId ? await save.mutateAsync(typed) : { id: madeId, version };
      const { message } = await ask({ id: seen.id, version: seen.version });
      return message;
    },
    async onSuccess(message) {
      toast.success(message);
      setProblems({});
      await refresh();
    },
    onError(error) {
      failed(error);
      // A new article's screen gives way to the saved one's, so its error would be lost.
      if (!id) toast.error(error.message);
    },
  });
  const begin = () => {
    isToBegin.current = true;
    act.reset();
    save.mutate(typed);
  };
  return { save, act, madeId, begin };
}

interface ToSend {
  typed: PostContent;
  isDirty: boolean;
  version: number;
  setProblems: (problems: Problems) => void;
  tellProblems: (problems: Problems) => void;
}

function goToProblem(): void {
  // A dialog says itself what went wrong in it, and keeps the focus.
  if (document.querySelector("[role=dialog]")) return;
  const wrong = "[aria-invalid=true], [data-wrong] :is([contenteditable=true], button:not([role=toolbar] *))";
  goToField(document.querySelector<HTMLElement>(wrong));
}

const isOfPosts = (name: unknown) => typeof name === "string" && name.startsWith("admin/posts");

/** The server names a field "content.title" when saving and "title" when publishing. */
const namedAsTyped = (fields: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, sentence]) => [name.replace(/^content\./, "").replace(/\.\d+$/, ""), sentence]),
  );

export const usePost = (id: string | null) =>
  useQuery({
    queryKey: postKey(id),
    queryFn: ({ signal }) => call("admin/posts/post", { id: id ?? "" }, signal),
    enabled: id !== null,
  });
