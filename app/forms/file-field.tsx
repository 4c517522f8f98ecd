import { FileInput, type FileInputProps } from "@mantine/core";
import { useRef } from "react";

/** A field for one file, which can be taken out. One that was corrected can be chosen again under its name. */
export function FileField({ onChange, ...props }: Omit<FileInputProps, "resetRef" | "placeholder">) {
  const reset = useRef<() => void>(null);
  return (
    <FileInput
      {...props}
      resetRef={reset}
      placeholder="Choose a file"
      clearable
      clearButtonProps={{ "aria-label": "Take the file out" }}
      onChange={(chosen) => {
        onChange?.(chosen);
        reset.current?.();
      }}
    />
  );
}
