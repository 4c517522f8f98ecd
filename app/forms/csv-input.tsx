import { FileInput } from "@mantine/core";
import { useRef } from "react";
import { contentLimits } from "../../contract/content-limits.ts";

const megabytes = contentLimits.csvBytesMax / 1024 / 1024;

/** Whether a file is within the size limit. */
export const fits = (file: File): boolean => file.size <= contentLimits.csvBytesMax;

/**
 * The field for a CSV file; `origin` says where it comes from or what it holds. A file that was corrected can be chosen
 * again under its name.
 */
export function CsvInput({
  origin,
  file,
  onChange,
}: {
  origin: string;
  file: File | null;
  onChange: (file: File | null) => void;
}) {
  const reset = useRef<() => void>(null);
  return (
    <FileInput
      resetRef={reset}
      label="CSV file"
      data-autofocus
      description={`${origin}; ${megabytes}\u00a0MB at most`}
      placeholder="Choose a file"
      accept=".csv,text/csv"
      clearable
      clearButtonProps={{ "aria-label": "Take the file out" }}
      value={file}
      onChange={(chosen) => {
        onChange(chosen);
        reset.current?.();
      }}
      error={file && !fits(file) && `This file has more than ${megabytes} MB. Please split it.`}
    />
  );
}
