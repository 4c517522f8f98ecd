import { contentLimits } from "../../../contract/content-limits.ts";
import { TextInput } from "@mantine/core";
import { Dialog } from "../../components/dialog.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { NewLogSource, type OperatorLogSource } from "../../../contract/log-sources.ts";
import { call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { useNewest } from "../../forms/use-newest.ts";

type Edited = OperatorLogSource | "new";

export default function LogSourceDialog({ edited, onClose }: { edited: Edited | null; onClose: () => void }) {
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add a log source" : "Edit the log source"}
      size="lg"
    >
      {edited && <LogSourceForm key={edited === "new" ? "new" : edited.id} edited={edited} onClose={onClose} />}
    </Dialog>
  );
}

const typedOf = (edited: Edited): NewLogSource =>
  edited === "new"
    ? { product: "", category: "", label: "", format: "" }
    : { product: edited.product, category: edited.category, label: edited.label, format: edited.format };

function LogSourceForm({ edited: opened, onClose }: { edited: Edited; onClose: () => void }) {
  const [edited, look] = useNewest("admin/log-sources", "id", opened);
  const keptAs = `log source ${edited === "new" ? "new" : edited.id}`;
  const seen = edited === "new" ? 0 : edited.version;
  const validate = fieldErrors(NewLogSource);
  const { form, version, overtaken, leave } = useKeptForm(keptAs, typedOf(edited), onClose, validate, seen);
  const save = (typed: NewLogSource) =>
    edited === "new"
      ? call("admin/log-sources/add", typed)
      : call("admin/log-sources/change", { ...typed, id: edited.id, version });
  const button = edited === "new" ? "Put on the site" : "Save";
  const { logSourceLineLengthMax, logSourceCategoryLengthMax } = contentLimits;
  return (
    <DialogForm
      form={form}
      send={save}
      submit={button}
      refresh={["admin/log-sources"]}
      onRefused={look}
      onClose={leave}
    >
      {overtaken && <Overtaken {...overtaken} />}
      <TextInput
        label="Product"
        required
        data-autofocus
        maxLength={logSourceLineLengthMax}
        {...form.getInputProps("product")}
      />
      <TextInput label="Category" required maxLength={logSourceCategoryLengthMax} {...form.getInputProps("category")} />
      <TextInput
        label="Label"
        description="Capital letters, digits and underscores; no two have the same"
        placeholder="ACME_DOOR"
        required
        maxLength={logSourceCategoryLengthMax}
        {...form.getInputProps("label")}
      />
      <TextInput
        label="Log format"
        placeholder="JSON, SYSLOG"
        required
        maxLength={logSourceCategoryLengthMax}
        {...form.getInputProps("format")}
      />
    </DialogForm>
  );
}
