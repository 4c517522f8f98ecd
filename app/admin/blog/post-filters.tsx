import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type PostState, postStates } from "../../../contract/post-states.ts";
import { call } from "../../api.ts";
import { useAddress } from "../../lists/use-address.ts";
import classes from "./blog.module.css";
import { stateChoices } from "./post-state.tsx";

interface Filters {
  state?: PostState;
  tag?: string;
}

/** The filters of the articles, kept in the address. */
export function usePostFilters(): [Filters, (name: keyof Filters, value: string) => void] {
  const [address, change] = useAddress();
  const state = postStates.find((each) => each === address.get("state"));
  const tag = address.get("tag");
  const narrow = (name: keyof Filters, value: string) => change({ [name]: value });
  return [{ ...(state && { state }), ...(tag && { tag }) }, narrow];
}

/** The tags and authors in use. */
export const useWords = () =>
  useQuery({ queryKey: ["admin/posts/words"], queryFn: ({ signal }) => call("admin/posts/words", {}, signal) });

/** Filters the articles as soon as something is chosen. */
export function PostFilters() {
  const [{ state = "", tag = "" }, narrow] = usePostFilters();
  const { tags = [] } = useWords().data ?? {};
  const all = tag && !tags.includes(tag) ? [tag, ...tags] : tags;
  return (
    <div className={classes.filters} role="group" aria-label="Narrow the articles">
      <NativeSelect
        label="State"
        value={state}
        onChange={(event) => narrow("state", event.currentTarget.value)}
        data={[{ value: "", label: "Any" }, ...stateChoices]}
      />
      <NativeSelect
        label="Tag"
        value={tag}
        onChange={(event) => narrow("tag", event.currentTarget.value)}
        data={[{ value: "", label: "Any" }, ...all]}
      />
    </div>
  );
}
