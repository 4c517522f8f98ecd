import { Button, FileButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { limits } from "../../../contract/limits.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { toast } from "../../toast.ts";
import { upload } from "../../upload.ts";
import classes from "./blog.module.css";
import type { FieldsProps } from "./post-fields.tsx";

const megabytes = limits.imageBytesMax / 1024 ** 2;

/** The picture above the article: uploaded at once, part of the article when that is saved. */
export function HeaderImageField({ editing, readOnly }: FieldsProps) {
  const { typed, change, problems, setProblems } = editing;
  const sending = useMutation({
    async mutationFn(file: File) {
      if (file.size > limits.imageBytesMax)
        throw new Error(`This file has ${(file.size / 1024 ** 2).toFixed(1)} MB; it may have ${megabytes}.`);
      return upload("admin/posts/add-image", file);
    },
    onSuccess({ headerImg }) {
      // Another image shows something else.
      change({ headerImg, headerAlt: "" });
      setProblems((before) => ({ ...before, headerImg: undefined }));
      toast.success("The image is there. Say what it shows, and save.");
    },
    onError: (error) => setProblems((before) => ({ ...before, headerImg: error.message })),
  });
  const label = typed.headerImg ? "Replace the image" : "Upload an image";
  return (
    <PanelSection level={2} title="Header image">
      <Stack gap="md">
        {typed.headerImg && <img className={classes.picture} src={typed.headerImg} alt={typed.headerAlt} />}
        {!readOnly && (
          <div>
            <Group gap="sm">
              <FileButton
                accept="image/jpeg,image/png,image/webp,image/avif"
                inputProps={{ "aria-label": label }}
                onChange={(file) => file && sending.mutate(file)}
              >
                {(props) => (
                  <Button variant="default" mih={44} loading={sending.isPending} {...props}>
                    {label}
                  </Button>
                )}
              </FileButton>
            </Group>
            <Text fz="sm" c="var(--site-muted)" mt={6}>
              JPEG, PNG, WebP or AVIF, {limits.imageWidthMin} × {limits.imageHeightMin} pixels or more, up to{" "}
              {megabytes} MB. It is cut to five by two.
            </Text>
            {problems["headerImg"] && (
              <Text c="var(--mantine-color-error)" fz="sm" role="alert" mt={6}>
                {problems["headerImg"]}
              </Text>
            )}
          </div>
        )}
        <TextInput
          label="What the image shows"
          description="Read aloud to who can't see it."
          size="md"
          readOnly={readOnly}
          maxLength={limits.altLengthMax}
          value={typed.headerAlt}
          error={problems["headerAlt"]}
          onChange={({ currentTarget: { value } }) => change({ headerAlt: value })}
        />
      </Stack>
    </PanelSection>
  );
}
