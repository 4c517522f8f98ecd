import { Button, Group, Textarea } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { openedLater } from "../../components/later.tsx";
import classes from "./blog.module.css";
import type { ImageDialogProps, ImageStart, TextImage } from "./image-dialog.tsx";
import { imageMarkdown } from "./image-markdown.ts";

const ImageDialog = openedLater<ImageDialogProps>(() => import("./image-dialog.tsx"), { start: null });

interface MarkdownTextProps {
  markdown: string;
  readOnly: boolean;
  isWrong: boolean;
  onChange: (markdown: string) => void;
}

/** The Markdown source of the text; an image is inserted at the cursor. */
export function MarkdownText({ markdown, readOnly, isWrong, onChange }: MarkdownTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [imageStart, setImageStart] = useState<ImageStart | null>(null);
  const insert = (image: TextImage) => {
    const at = field.current?.selectionEnd ?? markdown.length;
    const written = imageMarkdown(image);
    onChange(`${markdown.slice(0, at)}${written}${markdown.slice(at)}`);
    setImageStart(null);
    // After the closing dialog has given the focus back.
    setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(at + written.length, at + written.length);
    }, 300);
  };
  return (
    <>
      {!readOnly && (
        <Group>
          <Button
            variant="default"
            mih={44}
            leftSection={<IconPhoto size={18} aria-hidden />}
            onClick={() => setImageStart({})}
          >
            Insert an image
          </Button>
        </Group>
      )}
      <Textarea
        ref={field}
        aria-label="Text as Markdown"
        className={classes.markdown ?? ""}
        readOnly={readOnly}
        autosize
        minRows={14}
        maxRows={40}
        spellCheck
        value={markdown}
        error={isWrong}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
      <ImageDialog start={imageStart} onClose={() => setImageStart(null)} onDone={insert} />
    </>
  );
}
