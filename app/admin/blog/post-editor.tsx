import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import { brand } from "../../../contract/brand.ts";
import { messages } from "../../../contract/messages.ts";
import type { Post, PostContent } from "../../../contract/posts.ts";
import { ApiError, call } from "../../api.ts";
import { ConfirmedAction } from "../../components/confirmed-action.tsx";
import { showTime } from "../../components/display.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { useKeepUnsaved } from "../../components/use-keep-unsaved.ts";
import { keepTyped } from "../../forms/kept-typed.ts";
import { ListEmpty, ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import "../../styles-editor.css";
import classes from "./blog.module.css";
import { fieldNames } from "./post-changes.ts";
import { PostBar } from "./post-bar.tsx";
import { PostFields } from "./post-fields.tsx";
import { PostState } from "./post-state.tsx";
import { TextField } from "./text-field.tsx";
import { keptName, type PostEditing, usePost, usePostEditor } from "./use-post-editor.ts";
import { Versions } from "./versions.tsx";

const empty: PostContent = {
  title: "",
  slug: "",
  excerpt: "",
  markdown: "",
  tags: [],
  author: `${brand.name} editorial desk`,
  headerImg: "",
  headerAlt: "",
};

/** The editor of one article, or of a new one without an id. */
export default function PostEditor({ id }: { id: string | null }) {
  const post = usePost(id);
  const isUnknown = post.error instanceof ApiError && [404, 422].includes(post.error.status);
  return (
    <>
      <PageTitle title={post.data?.content.title ?? (id ? "Article" : "New article")} {...hintOf(post.data)}>
        <Group gap="sm">
          {post.data && <PostState post={post.data} />}
          <Button
            component={Link}
            to="/admin/blog"
            variant="subtle"
            mih={44}
            leftSection={<IconArrowLeft size={18} aria-hidden />}
          >
            All articles
          </Button>
        </Group>
      </PageTitle>
      {id && post.isPending && <ListLoading rows={6} />}
      {isUnknown && !post.data && <ListEmpty message="This article was not found.">{null}</ListEmpty>}
      {post.isError && !isUnknown && !post.data && (
        <ListFailed message={messages.fetchFailed} onRetry={() => void post.refetch()} />
      )}
      {(post.data || !id) && <Editor id={id} post={post.data ?? null} />}
    </>
  );
}

function hintOf(post: Post | undefined): { hint?: string } {
  if (!post) return {};
  if (post.state === "scheduled" && post.published_at)
    return { hint: `Visitors can read it from ${showTime(post.published_at)}, as it is saved then.` };
  if (post.state === "published" && post.has_changes)
    return { hint: "Visitors read an earlier version until the changes are published." };
  return { hint: `Saved ${showTime(post.updated_at)}${post.updated_by ? ` by ${post.updated_by}` : ""}.` };
}

function Editor({ id, post }: { id: string | null; post: Post | null }) {
  const editing = usePostEditor(id, post?.content ?? empty, post);
  const readOnly = !useMayCall()("admin/posts/save");
  const previewing = useWayOn(id, editing);
  const [isRemoved, setIsRemoved] = useState(false);
  useKeepUnsaved(editing.isDirty && !isRemoved, "in this article", () => keepTyped(keptName(id), null));
  const navigate = useNavigate();
  useEffect(() => {
    if (!isRemoved) return;
    keepTyped(keptName(id), null);
    void navigate("/admin/blog", { replace: true });
  }, [id, isRemoved, navigate]);
  return (
    <>
      <Stack gap="md" mb="md">
        {editing.isBack && (
          <Alert variant="light" role="status">
            <Group justify="space-between" gap="sm">
              <Text>Your unsaved changes have been restored.</Text>
              <Button variant="default" mih={44} onClick={editing.dropMine}>
                Drop it
              </Button>
            </Group>
          </Alert>
        )}
        {editing.both.length > 0 && (
          <Alert color="orange" variant="light" role="status">
            You both changed: {editing.both.map((field) => fieldNames[field]).join(", ")}. Here is what you typed; what
            the other saved stands below under Versions.
          </Alert>
        )}
      </Stack>
      <div className={classes.editor}>
        <div className={classes.column}>
          <PostFields.Main
            editing={editing}
            readOnly={readOnly}
            wasPublished={post?.state === "published" || post?.state === "unpublished"}
          />
          <TextField key={editing.loads} editing={editing} readOnly={readOnly} />
        </div>
        <div className={classes.column}>
          <PostFields.Side editing={editing} readOnly={readOnly} />
          {post && id && <Versions id={id} post={post} editing={editing} readOnly={readOnly} />}
          {post?.state === "draft" && !readOnly && <DraftRemoval post={post} onRemoved={() => setIsRemoved(true)} />}
        </div>
      </div>
      {readOnly ? (
        <Text mt="lg" c="var(--site-muted)">
          Only administrators change articles.{" "}
          {id && <Link to={`/admin/blog-preview?post=${id}`}>See it as visitors will</Link>}
        </Text>
      ) : (
        <PostBar post={post} editing={editing} onPreview={previewing.start} />
      )}
    </>
  );
}

/** A draft was never published, so it can be deleted with all its versions. */
function DraftRemoval({ post: { id, version, title }, onRemoved }: { post: Post; onRemoved: () => void }) {
  return (
    <PanelSection level={2} title="Delete" hint="A draft that was never published can be deleted for good.">
      <ConfirmedAction
        mih={44}
        label="Delete the draft"
        about={title}
        title="Delete the draft"
        confirm="Delete for good"
        failed="It could not be deleted."
        act={() => call("admin/posts/remove", { id, version })}
        onDone={onRemoved}
        stale={[["admin/posts"], ["admin/posts/words"]]}
      >
        <bdi>{title}</bdi> will be deleted with its versions, unsaved changes and images that no other article uses.
        This can’t be undone.
      </ConfirmedAction>
    </PanelSection>
  );
}

/** Leads to the preview once everything is saved, and from a new article to its own address. */
function useWayOn(id: string | null, { isDirty, madeId, save, act }: PostEditing) {
  const [isPreview, setIsPreview] = useState(false);
  const navigate = useNavigate();
  const isIdle = !isDirty && !save.isPending && !act.isPending;
  useEffect(() => {
    if (!madeId || !isIdle) return;
    const leave = async () => {
      // A new article's own address first: whoever goes back from the preview comes to the article.
      if (id !== madeId) await navigate(`/admin/blog?post=${madeId}`, { replace: true });
      if (isPreview) await navigate(`/admin/blog-preview?post=${madeId}`);
    };
    void leave();
  }, [id, madeId, isIdle, isPreview, navigate]);
  return {
    start(typed: PostContent) {
      setIsPreview(true);
      if (isDirty || !madeId) save.mutate(typed, { onError: () => setIsPreview(false) });
    },
  };
}
