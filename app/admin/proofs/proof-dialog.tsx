import { Alert, Button, Group, Modal, SegmentedControl, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMediaQuery } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { limits } from "../../../contract/limits.ts";
import { NewProof, type Proof } from "../../../contract/proofs.ts";
import { ApiError, call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { toast } from "../../toast.ts";
import { proofsKey } from "./proofs-key.ts";

type Edited = Proof | "new";

/** What is typed: what is optional stands as empty text. */
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
  const phone = useMediaQuery(`(max-width: ${limits.sidebarCollapsePixels}px)`);
  return (
    <Modal
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add a certificate or reference" : "Edit"}
      size="lg"
      fullScreen={phone ?? false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {edited && <ProofForm key={edited === "new" ? "new" : edited.id} edited={edited} onClose={onClose} />}
    </Modal>
  );
}

function ProofForm({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const queries = useQueryClient();
  const check = fieldErrors(NewProof);
  const form = useForm({ initialValues: typedOf(edited), validate: (typed: Typed) => check(asSent(typed)) });
  const save = useMutation({
    mutationFn: (typed: Typed) => {
      const proof = asSent(typed);
      if (edited === "new") return call("admin/settings/proofs/add", proof);
      return call("admin/settings/proofs/change", { ...proof, id: edited.id, version: edited.version });
    },
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: proofsKey }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((typed) => save.mutate(typed))}>
      <Stack gap="md">
        {save.error && (
          <Alert color="red" role="alert">
            {save.error.message}
          </Alert>
        )}
        <Fields form={form} />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" size="md" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button type="submit" size="md" loading={save.isPending}>
            {edited === "new" ? "Put on the site" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
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
        description="The last day on which visitors see it; leave it empty for good"
        type="date"
        {...form.getInputProps("validUntil")}
      />
      <TextInput
        label="Link"
        description="To the certificate, or to what was published; may be left empty"
        type="url"
        maxLength={limits.proofLinkLengthMax}
        {...form.getInputProps("link")}
      />
    </>
  );
}
