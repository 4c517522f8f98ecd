import { SegmentedControl, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Dialog } from "../../components/dialog.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { limits } from "../../../contract/limits.ts";
import { NewProof, type Proof } from "../../../contract/proofs.ts";
import { call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { useNewest } from "../../forms/use-newest.ts";
import { proofsKey } from "./proofs-key.ts";

type Edited = Proof | "new";

/** The form's values; an optional field that is not given is an empty string. */
const empty = { kind: "certificate", name: "", issuer: "", statement: "", validUntil: "", link: "" };
type Typed = typeof empty;

const typedOf = (edited: Edited): Typed =>
  edited === "new"
    ? empty
    : {
        kind: edited.kind,
        name: edited.name,
        issuer: edited.issuer,
        statement: edited.statement,
        validUntil: edited.validUntil ?? "",
        link: edited.link ?? "",
      };

const asSent = (typed: Typed) =>
  ({ ...typed, validUntil: typed.validUntil || null, link: typed.link.trim() || null }) as NewProof;

/** Adds or changes a certificate or reference. */
export default function ProofDialog({ edited, onClose }: { edited: Edited | null; onClose: () => void }) {
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add a certificate or reference" : "Edit"}
      size="lg"
    >
      {edited && <ProofForm key={edited === "new" ? "new" : edited.id} edited={edited} onClose={onClose} />}
    </Dialog>
  );
}

function ProofForm({ edited: opened, onClose }: { edited: Edited; onClose: () => void }) {
  const [edited, look] = useNewest("admin/settings/proofs", "id", opened);
  const check = fieldErrors(NewProof);
  const keptAs = edited === "new" ? "proof new" : `proof ${edited.id}`;
  const seen = edited === "new" ? 0 : edited.version;
  const validate = (typed: Typed) => check(asSent(typed));
  const { form, version, overtaken, leave } = useKeptForm(keptAs, typedOf(edited), onClose, validate, seen);
  const save = (typed: Typed) => {
    const proof = asSent(typed);
    if (edited === "new") return call("admin/settings/proofs/add", proof);
    return call("admin/settings/proofs/change", { ...proof, id: edited.id, version });
  };
  const button = edited === "new" ? "Put on the site" : "Save";
  return (
    <DialogForm form={form} send={save} submit={button} refresh={proofsKey} onRefused={look} onClose={leave}>
      {overtaken && <Overtaken {...overtaken} />}
      <Fields form={form} />
    </DialogForm>
  );
}

function Fields({ form }: { form: UseFormReturnType<Typed> }) {
  const isCertificate = form.values.kind === "certificate";
  return (
    <>
      <SegmentedControl
        aria-label="Kind"
        data={[
          { value: "certificate", label: "Certificate" },
          { value: "reference", label: "Reference" },
        ]}
        {...form.getInputProps("kind")}
      />
      <TextInput
        label={isCertificate ? "What it certifies" : "Customer"}
        placeholder={isCertificate ? "ISO/IEC 27001:2022" : ""}
        required
        data-autofocus
        maxLength={limits.proofNameLengthMax}
        {...form.getInputProps("name")}
      />
      <TextInput
        label={isCertificate ? "Issued by" : "Who says it"}
        description={isCertificate ? undefined : "Name and position, with their consent"}
        required
        maxLength={limits.proofNameLengthMax}
        {...form.getInputProps("issuer")}
      />
      <Textarea
        label={isCertificate ? "Number and scope" : "What they say"}
        required
        autosize
        minRows={2}
        maxLength={limits.proofStatementLengthMax}
        {...form.getInputProps("statement")}
      />
      <TextInput
        label="Valid until"
        description="The last day on which visitors see it; leave empty for no end"
        type="date"
        {...form.getInputProps("validUntil")}
      />
      <TextInput
        label="Link"
        description="To the certificate or the publication; optional"
        type="url"
        maxLength={limits.proofLinkLengthMax}
        {...form.getInputProps("link")}
      />
    </>
  );
}
