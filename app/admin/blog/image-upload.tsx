import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { limits } from "../../../contract/limits.ts";
import type { Answer } from "../../../contract/operations.ts";
import { upload } from "../../upload.ts";

type ImageOperation = "admin/posts/add-image" | "admin/posts/add-text-image";

const megabytes = limits.imageBytesMax / 1024 ** 2;

export const imageTypes = "image/jpeg,image/png,image/webp,image/avif";

/** Uploads an image; `first` is uploaded at once. An image that is too large is refused before it is sent. */
export function useImageUpload<Name extends ImageOperation>(
  name: Name,
  first: File | undefined,
  onSent: (answer: Answer<Name>) => void,
) {
  const sending = useMutation({
    async mutationFn(file: File) {
      if (file.size > limits.imageBytesMax)
        throw new Error(`This file has ${(file.size / 1024 ** 2).toFixed(1)} MB; it may have ${megabytes}.`);
      return upload(name, file);
    },
    onSuccess: onSent,
  });
  const { mutate } = sending;
  const isBegun = useRef(false);
  useEffect(() => {
    if (first && !isBegun.current) mutate(first);
    isBegun.current = true;
  }, [first, mutate]);
  return sending;
}

/** Which files may be chosen. */
export function ImageRules({ children }: { children: ReactNode }) {
  return (
    <Text fz="sm" c="var(--site-muted)" mt={6}>
      JPEG, PNG, WebP or AVIF, up to {megabytes} MB. {children}
    </Text>
  );
}
