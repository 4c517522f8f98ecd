import { contentLimits } from "../../contract/content-limits.ts";
import { FileField } from "./file-field.tsx";

const megabytes = contentLimits.csvBytesMax / 1024 / 1024;

/** Whether a file is within the size limit. */
export const fits = (file: File): boolean => file.size <= contentLimits.csvBytesMax;

/** The field for a CSV file; `origin` says where it comes from or what it holds. */
export function CsvInput({
  origin,
  file,
  onChange,
}: {
  origin: string;
  file: File | null;
  onChange: (file: File | null) => void;
}) {
  return (
    <FileField
      label="CSV file"
      data-autofocus
      description={`${origin}; ${megabytes}\u00a0MB at most`}
      accept=".csv,text/csv"
      value={file}
      onChange={onChange}
      error={file && !fits(file) && `This file has more than ${megabytes} MB. Please split it.`}
    />
  );
}
