import { RichTextEditor } from "@mantine/tiptap";
import { IconPhoto } from "@tabler/icons-react";
import { type Editor, useEditor } from "@tiptap/react";
import { useEffect, useState } from "react";
import { openedLater } from "../../components/later.tsx";
import classes from "./blog.module.css";
import type { ImageDialogProps, ImageStart } from "./image-dialog.tsx";
import { documentOf, extensions, markdownOf, richTextHolds } from "./markdown-document.ts";

const ImageDialog = openedLater<ImageDialogProps>(() => import("./image-dialog.tsx"), { start: null });

export interface RichTextProps {
  markdown: string;
  readOnly: boolean;
  onChange: (markdown: string) => void;
  /** Called instead of showing a text that the rich-text editor would lose part of. */
  onCannotHold: () => void;
}

/** Rich-text editor over Markdown. What nobody edits here stays the same to the letter. */
export default function RichText({ markdown, readOnly, onChange, onCannotHold }: RichTextProps) {
  const [holds] = useState(() => richTextHolds(markdown));
  useEffect(() => {
    if (!holds) onCannotHold();
    // Checked once, for the text that the editor opened with.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [holds]);
  const [imageStart, setImageStart] = useState<ImageStart | null>(null);
  /** A pasted or dropped image is uploaded like any other. */
  const take = (files: FileList | undefined) => {
    const file = Array.from(files ?? []).find(({ type }) => type.startsWith("image/"));
    if (!file || readOnly) return false;
    setImageStart({ file });
    return true;
  };
  const editor = useEditor({
    extensions,
    content: holds ? documentOf(markdown) : "",
    editable: !readOnly,
    shouldRerenderOnTransaction: true,
    editorProps: {
      handlePaste: (_view, { clipboardData }) => take(clipboardData?.files),
      handleDrop: (_view, { dataTransfer }) => take(dataTransfer?.files),
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
      {!readOnly && <Toolbar onImage={() => setImageStart(selectedImage(editor))} />}
      <RichTextEditor.Content className={classes.written ?? ""} />
      <ImageDialog
        start={imageStart}
        onClose={() => setImageStart(null)}
        onDone={({ address, alt }) => {
          setImageStart(null);
          // If an image is selected, this replaces it.
          editor.chain().setImage({ src: address, alt }).run();
          // After the closing dialog has given the focus back, if the article is still open.
          setTimeout(() => !editor.isDestroyed && editor.commands.focus(), 300);
        }}
      />
    </RichTextEditor>
  );
}

/** The selected image, to be changed; without one the dialog starts a new one. */
function selectedImage(editor: Editor): ImageStart {
  if (!editor.isActive("image")) return {};
  const { src, alt } = editor.getAttributes("image");
  return { image: { address: String(src ?? ""), alt: String(alt ?? "") } };
}

function Toolbar({ onImage }: { onImage: () => void }) {
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
        <RichTextEditor.Control aria-label="Image" title="Image" onClick={onImage}>
          <IconPhoto size={16} stroke={1.5} aria-hidden />
        </RichTextEditor.Control>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  );
}
