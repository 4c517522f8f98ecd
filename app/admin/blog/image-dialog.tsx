import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import { ChooseFile } from "../../forms/choose-file.tsx";
import classes from "./blog.module.css";
import { ImageRules, imageTypes, useImageUpload } from "./image-upload.tsx";

export interface TextImage {
  address: string;
  /** Alternative text, for readers who can't see the image. */
  alt: string;
}

/** What the dialog starts with: an image of the text, a dropped or pasted file, or nothing. */
export interface ImageStart {
  image?: TextImage;
  file?: File;
}

export interface ImageDialogProps {
  start: ImageStart | null;
  onClose: () => void;
  onDone: (image: TextImage) => void;
}

/** Uploads an image for the text and asks for its description. */
export default function ImageDialog({ start, onClose, onDone }: ImageDialogProps) {
  return (
    <Dialog opened={start !== null} onClose={onClose} title={start?.image ? "Image" : "Insert an image"}>
      {start && <ImageForm start={start} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

function ImageForm({ start, onClose, onDone }: ImageDialogProps & { start: ImageStart }) {
  const [address, setAddress] = useState(start.image?.address ?? "");
  const [alt, setAlt] = useState(start.image?.alt ?? "");
  const [isAsked, setIsAsked] = useState(false);
  const sending = useImageUpload("admin/posts/add-text-image", start.file, (sent) => setAddress(sent.address));
  const missing = isAsked && !alt.trim();
  const label = address ? "Replace the image" : "Choose an image";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React events bubble from a portal to the form that opened it.
        event.stopPropagation();
        setIsAsked(true);
        if (address && alt.trim() && !sending.isPending) onDone({ address, alt: alt.trim() });
      }}
    >
      <Stack gap="md">
        {address && <img className={classes.chosen} src={address} alt={alt} />}
        <div>
          <ChooseFile
            accept={imageTypes}
            inputProps={{ "aria-label": label }}
            onChoose={(file) => sending.mutate(file)}
          >
            {(props) => (
              <Button
                variant="default"
                mih={44}
                loading={sending.isPending}
                {...(!address && { "data-autofocus": true })}
                {...props}
              >
                {label}
              </Button>
            )}
          </ChooseFile>
          <ImageRules>It keeps its proportions.</ImageRules>
        </div>
        {(sending.error || (isAsked && !address && !sending.isPending)) && (
          <Refusal>{sending.error?.message ?? "Please choose an image."}</Refusal>
        )}
        <TextInput
          label="What the image shows"
          description="Read aloud to people who can't see it."
          required
          size="md"
          maxLength={limits.altLengthMax}
          value={alt}
          error={missing && "Please say what it shows, for people who can't see it"}
          {...(address && { "data-autofocus": true })}
          onChange={({ currentTarget: { value } }) => setAlt(value)}
        />
        <Group justify="flex-end">
          <Button variant="default" mih={44} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" mih={44} disabled={sending.isPending}>
            {start.image ? "Change" : "Insert"}
          </Button>
        </Group>
        <Text fz="sm" c="var(--site-muted)" role="status">
          {sending.isPending && "Uploading …"}
          {sending.isSuccess && "The image is uploaded."}
        </Text>
      </Stack>
    </form>
  );
}
