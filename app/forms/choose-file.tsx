import { FileButton, type FileButtonProps } from "@mantine/core";
import { useRef } from "react";

/** A button that asks for a file. The same file can be chosen again: it may have changed, or not have arrived. */
export function ChooseFile({
  onChoose,
  ...props
}: Omit<FileButtonProps, "onChange" | "resetRef"> & { onChoose: (file: File) => void }) {
  const reset = useRef<() => void>(null);
  return (
    <FileButton
      {...props}
      resetRef={reset}
      onChange={(file) => {
        if (!file) return;
        onChoose(file);
        reset.current?.();
      }}
    />
  );
}
