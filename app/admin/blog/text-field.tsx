import { Alert, Group, Input, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatCount } from "../../../contract/format-count.ts";
import { limits } from "../../../contract/limits.ts";
import { shownLater } from "../../components/later.tsx";
import { ListLoading } from "../../lists/list-state.tsx";
import { MarkdownText } from "./markdown-text.tsx";
import type { FieldsProps } from "./post-fields.tsx";
import type { RichTextProps } from "./rich-text.tsx";

const RichText = shownLater<RichTextProps>(
  () => import("./rich-text.tsx"),
  () => <ListLoading rows={5} />,
);

type Mode = "rich" | "markdown";

/** The article's text: kept as Markdown, edited either as Markdown or as rich text. */
export function TextField({ editing, readOnly }: FieldsProps) {
  const { typed, change, problems } = editing;
  const [mode, setMode] = useState<Mode>("rich");
  const [cannotHold, setCannotHold] = useState(false);
  const count = typed.markdown.length;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text component="h2" fw={600} fz={18} id="text-of-article">
          Text
        </Text>
        <SegmentedControl
          aria-label="Write as"
          value={mode}
          onChange={(chosen) => {
            setCannotHold(false);
            setMode(chosen === "rich" ? "rich" : "markdown");
          }}
          data={[
            { value: "rich", label: "Rich text" },
            { value: "markdown", label: "Markdown" },
          ]}
        />
      </Group>
      {cannotHold && (
        <Alert color="orange" variant="light" role="status">
          This text contains something that rich text would lose, such as HTML or a task list. It can be edited as
          Markdown only.
        </Alert>
      )}
      {problems["markdown"] && <Input.Error role="alert">{problems["markdown"]}</Input.Error>}
      {mode === "rich" ? (
        <div data-wrong={problems["markdown"]}>
          <RichText
            markdown={typed.markdown}
            readOnly={readOnly}
            onChange={(markdown) => change({ markdown })}
            onCannotHold={() => {
              setMode("markdown");
              setCannotHold(true);
            }}
          />
        </div>
      ) : (
        <MarkdownText
          markdown={typed.markdown}
          readOnly={readOnly}
          isWrong={Boolean(problems["markdown"])}
          onChange={(markdown) => change({ markdown })}
        />
      )}
      <Text fz="sm" c="var(--site-muted)">
        {formatCount(count)} of {formatCount(limits.articleLengthMax)} characters of Markdown.
      </Text>
    </Stack>
  );
}
