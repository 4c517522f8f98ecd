import { RichTextEditor } from "@mantine/tiptap";
import { useEditor } from "@tiptap/react";
import { useEffect, useState } from "react";
import classes from "./blog.module.css";
import { documentOf, extensions, markdownOf, richTextHolds } from "./markdown-document.ts";

export interface RichTextProps {
  markdown: string;
  readOnly: boolean;
  onChange: (markdown: string) => void;
  /** Told instead of showing a text of which something would be lost. */
  onCannotHold: () => void;
}

/** Writes Markdown without its signs. What nobody changes here stays to the letter as it was. */
export default function RichText({ markdown, readOnly, onChange, onCannotHold }: RichTextProps) {
  const [holds] = useState(() => richTextHolds(markdown));
  useEffect(() => {
    if (!holds) onCannotHold();
    // Asked once, of the text that it opened with.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [holds]);
  const editor = useEditor({
    extensions,
    content: holds ? documentOf(markdown) : "",
    editable: !readOnly,
    shouldRerenderOnTransaction: true,
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": "Text of the article",
        ...(readOnly && { "aria-readonly": "true" }),
      },
    },
    onUpdate: ({ editor: changed }) => onChange(markdownOf(changed.getJSON())),
  });
  if (!holds) return null;
  return (
    <RichTextEditor editor={editor} className={classes.rich ?? ""}>
      {!readOnly && <Toolbar />}
      <RichTextEditor.Content className={classes.written ?? ""} />
    </RichTextEditor>
  );
}

function Toolbar() {
  return (
    <RichTextEditor.Toolbar sticky stickyOffset={64} role="toolbar" aria-label="Formatting">
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
        <RichTextEditor.Code />
        <RichTextEditor.ClearFormatting />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.H2 />
        <RichTextEditor.H3 />
        <RichTextEditor.H4 />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
        <RichTextEditor.Blockquote />
        <RichTextEditor.CodeBlock />
        <RichTextEditor.Hr />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Link />
        <RichTextEditor.Unlink />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  );
}
