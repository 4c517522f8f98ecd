import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useRef } from "react";
import { limits } from "../../../contract/limits.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { ChooseFile } from "../../forms/choose-file.tsx";
import { toast } from "../../toast.ts";
import classes from "./blog.module.css";
import { ImageRules, imageTypes, useImageUpload } from "./image-upload.tsx";
import type { FieldsProps } from "./post-fields.tsx";

/** The image above the article: uploaded at once, but part of the article only when the article is saved. */
export function HeaderImageField({ editing, readOnly }: FieldsProps) {
  const { typed, change, problems, setProblems } = editing;
  const described = useRef<string>(null);
  const sending = useImageUpload("admin/posts/add-image", undefined, ({ headerImg }) => {
    // The old image's description does not fit another one; what was written before the first, or meanwhile, stays.
    const isOld = typed.headerImg !== "" && typed.headerAlt === described.current;
    change({ headerImg, ...(isOld && { headerAlt: "" }) });
    setProblems((before) => ({ ...before, headerImg: undefined }));
    toast.success("The image is uploaded. Describe what it shows, then save.");
  });
  const problem = sending.error?.message ?? problems["headerImg"];
  const label = typed.headerImg ? "Replace the image" : "Upload an image";
  return (
    <PanelSection level={2} title="Header image">
      <Stack gap="md">
        {typed.headerImg && <img className={classes.picture} src={typed.headerImg} alt={typed.headerAlt} />}
        {!readOnly && (
          <div data-wrong={problem}>
            <Group gap="sm">
              <ChooseFile
                accept={imageTypes}
                inputProps={{ "aria-label": label }}
                onChoose={(file) => {
                  described.current = typed.headerAlt;
                  sending.mutate(file);
                }}
              >
                {(props) => (
                  <Button variant="default" mih={44} loading={sending.isPending} {...props}>
                    {label}
                  </Button>
                )}
              </ChooseFile>
            </Group>
            <ImageRules>
              At least {limits.imageWidthMin} × {limits.imageHeightMin} pixels; it is cut to five by two.
            </ImageRules>
            {problem && (
              <Text c="var(--mantine-color-error)" fz="sm" role="alert" mt={6}>
                {problem}
              </Text>
            )}
          </div>
        )}
        <Textarea
          autosize
          label="What the image shows"
          description="Read aloud to people who can't see it."
          size="md"
          readOnly={readOnly}
          maxLength={limits.altLengthMax}
          value={typed.headerAlt}
          error={problems["headerAlt"]}
          onChange={({ currentTarget: { value } }) => change({ headerAlt: value.replace(/\s*\n\s*/g, " ") })}
        />
      </Stack>
    </PanelSection>
  );
}
