import { FileButton, type FileButtonProps } from "@mantine/core";
import { useRef } from "react";

/** A button that asks for a file. The same may be chosen again: it may not have arrived, or have changed meanwhile. */
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
