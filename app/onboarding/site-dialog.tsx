import { TextInput } from "@mantine/core";
import { limits } from "../../contract/limits.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useKeptForm } from "../forms/use-kept-form.ts";

export interface SiteDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Adds a site where devices are installed. */
export default function SiteDialog({ opened, onClose }: SiteDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Add a site">
      {opened && <SiteForm onClose={onClose} />}
    </Dialog>
  );
}

function SiteForm({ onClose }: { onClose: () => void }) {
  const { form, idOf, leave } = useKeptForm("site", { name: "", address: "" }, onClose);
  const { name, address } = form.values;
  return (
    <DialogForm
      form={form}
      send={(typed) => call("user/onboarding/add-site", { id: idOf(typed), ...typed })}
      refresh={["user/onboarding"]}
      submit="Add"
      isReady={name.trim() !== "" && address.trim() !== ""}
      onClose={leave}
    >
      <TextInput
        label="Name"
        placeholder="Plant 2"
        maxLength={limits.siteLineLengthMax}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput label="Address" maxLength={limits.obligationLineLengthMax} {...form.getInputProps("address")} />
    </DialogForm>
  );
}
