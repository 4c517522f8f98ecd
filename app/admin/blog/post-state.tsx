import type { PostRow } from "../../../contract/posts.ts";
import type { PostState as State } from "../../../contract/post-states.ts";
import { type Tone, StateBadge } from "../../components/state-badge.tsx";

const states: Record<State, { label: string; tone: Tone }> = {
  draft: { label: "Draft", tone: "neutral" },
  scheduled: { label: "Scheduled", tone: "info" },
  published: { label: "Published", tone: "good" },
  unpublished: { label: "Off the site", tone: "warning" },
};

export const stateChoices = Object.entries(states).map(([value, { label }]) => ({ value, label }));

export const stateLabel = ({ state, has_changes }: Pick<PostRow, "state" | "has_changes">) =>
  has_changes ? `${states[state].label}, with changes` : states[state].label;

/** Whether visitors can read it, and whether a newer version is saved. */
export function PostState({ post }: { post: Pick<PostRow, "state" | "has_changes"> }) {
  return <StateBadge tone={post.has_changes ? "info" : states[post.state].tone}>{stateLabel(post)}</StateBadge>;
}
