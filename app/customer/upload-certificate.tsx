import { Alert, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { writtenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import type { Certificate } from "../../contract/receivables.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { asBase64 } from "../forms/as-base64.ts";
import { FileField } from "../forms/file-field.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { rupeesTyped } from "../forms/rupees-typed.ts";

export interface UploadCertificateProps {
  certificate: Certificate | null;
  onClose: () => void;
}

/** Uploads a certificate of deducted tax (Form 16A). */
export default function UploadCertificate({ certificate, onClose }: UploadCertificateProps) {
  return (
    <Dialog opened={certificate !== null} onClose={onClose} title="Upload Form 16A">
      {certificate && <Form key={certificate.id} certificate={certificate} onClose={onClose} />}
    </Dialog>
  );
}

interface Typed {
  number: string;
  quarter: string;
  amount: string;
  file: File | null;
}

// The server refuses a body that is too large before it reads it, so check the size here.
const validate = {
  file: (file: File | null) =>
    file && file.size > limits.certificateBytesMax ? "Please choose a PDF of at most 2 MB" : null,
};

function Form({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const [quarters] = useState(() => lastQuarters(writtenDay(new Date())));
  const { id, amount } = certificate;
  const first: Typed = { number: "", quarter: quarters[0] ?? "", amount, file: null };
  const { form, leave } = useKeptForm(`certificate ${id}`, first, onClose, validate, "none", ["file"]);
  return (
    <DialogForm
      form={form}
      send={async ({ file, amount, ...typed }) =>
        call("user/certificates/upload", {
          ...typed,
          id,
          amount: rupeesTyped(amount),
          file: file ? await asBase64(file) : "",
        })
      }
      refresh={["user/payments-due"]}
      submit="Upload"
      onClose={leave}
    >
      {certificate.refusal && (
        <Alert color="orange">The certificate before this was refused: {certificate.refusal}</Alert>
      )}
      <TextInput
        label="Number of the certificate"
        required
        data-autofocus
        maxLength={40}
        {...form.getInputProps("number")}
      />
      <NativeSelect label="Quarter" data={quarters} required {...form.getInputProps("quarter")} />
      <TextInput
        label="Tax deducted, in rupees"
        description="As the certificate has it"
        inputMode="decimal"
        required
        {...form.getInputProps("amount")}
      />
      <FileField
        label="PDF"
        description={"As it came from TRACES; 2\u00a0MB at most"}
        accept=".pdf,application/pdf"
        required
        {...form.getInputProps("file")}
      />
    </DialogForm>
  );
}

/** The last eight quarters of financial years, the current one first, such as 2026-27 Q3. */
function lastQuarters(today: string): string[] {
  const [year = 0, month = 0] = today.split("-").map(Number);
  const since = year * 4 + Math.floor((month - 1) / 3) - 1;
  return Array.from({ length: 8 }, (_, back) => {
    const first = Math.floor((since - back) / 4);
    const quarter = ((since - back) % 4) + 1;
    return `${first}-${String((first + 1) % 100).padStart(2, "0")} Q${quarter}`;
  });
}
