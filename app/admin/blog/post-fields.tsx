import { Autocomplete, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { HeaderImageField } from "./header-image-field.tsx";
import { slugOf } from "./post-changes.ts";
import { useWords } from "./post-filters.tsx";
import type { PostEditing } from "./use-post-editor.ts";

export interface FieldsProps {
  editing: PostEditing;
  readOnly: boolean;
}

/** The fields above the text. A new article's address follows its title until somebody edits the address. */
function Main({ editing, readOnly, wasPublished }: FieldsProps & { wasPublished: boolean }) {
  const { typed, change, problems, saved } = editing;
  const [follows, setFollows] = useState(
    saved.version === 0 && typed.slug === slugOf(typed.title, limits.slugLengthMax),
  );
  return (
    <>
      <TextInput
        label="Title"
        required
        size="md"
        readOnly={readOnly}
        description={`${typed.title.length} of ${limits.articleTitleLengthMax} characters.`}
        maxLength={limits.articleTitleLengthMax}
        value={typed.title}
        error={problems["title"]}
        onChange={({ currentTarget: { value } }) =>
          change({ title: value, ...(follows && { slug: slugOf(value, limits.slugLengthMax) }) })
        }
      />
      <TextInput
        label="Address"
        required
        size="md"
        readOnly={readOnly}
        description={`/blog/${typed.slug || "…"}${wasPublished ? ". Addresses under which it was published before lead here." : ""}`}
        maxLength={limits.slugLengthMax}
        value={typed.slug}
        error={problems["slug"]}
        onChange={({ currentTarget: { value } }) => {
          setFollows(false);
          change({ slug: value });
        }}
      />
      <Textarea
        label="Excerpt"
        size="md"
        readOnly={readOnly}
        description={`Needed to publish, for the list, the feed and search engines: ${typed.excerpt.length} of ${limits.excerptLengthMax} characters.`}
        autosize
        minRows={2}
        maxLength={limits.excerptLengthMax}
        value={typed.excerpt}
        error={problems["excerpt"]}
        // The excerpt is one line, even if the field wraps it.
        onChange={({ currentTarget: { value } }) => change({ excerpt: value.replace(/\s*\n\s*/g, " ") })}
      />
    </>
  );
}

function Side({ editing, readOnly }: FieldsProps) {
  const { typed, change, problems } = editing;
  const { tags = [], authors = [] } = useWords().data ?? {};
  return (
    <>
      <HeaderImageField editing={editing} readOnly={readOnly} />
      <PanelSection level={2} title="About the article">
        <TagsInput
          label="Tags"
          size="md"
          readOnly={readOnly}
          description={`One to ${limits.articleTagsMax} to publish; each ends with Enter or a comma.`}
          data={tags}
          maxTags={limits.articleTagsMax}
          value={typed.tags}
          error={problems["tags"]}
          onChange={(chosen) => change({ tags: chosen })}
          mb="md"
        />
        <Autocomplete
          label="Written by"
          required
          size="md"
          readOnly={readOnly}
          data={authors}
          maxLength={limits.fullNameLengthMax}
          value={typed.author}
          error={problems["author"]}
          onChange={(author) => change({ author })}
        />
      </PanelSection>
    </>
  );
}

/** All fields of an article except its text. */
export const PostFields = { Main, Side };
