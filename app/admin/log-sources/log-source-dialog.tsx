import { contentLimits } from "../../../contract/content-limits.ts";
import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMediaQuery } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { limits } from "../../../contract/limits.ts";
import { NewLogSource, type OperatorLogSource } from "../../../contract/log-sources.ts";
import { ApiError, call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { toast } from "../../toast.ts";

type Edited = OperatorLogSource | "new";

/** Adds or changes a log source. */
export default function LogSourceDialog({ edited, onClose }: { edited: Edited | null; onClose: () => void }) {
  const phone = useMediaQuery(`(max-width: ${limits.sidebarCollapsePixels}px)`);
  return (
    <Modal
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add a log source" : "Edit the log source"}
      size="lg"
      fullScreen={phone ?? false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {edited && <LogSourceForm key={edited === "new" ? "new" : edited.id} edited={edited} onClose={onClose} />}
    </Modal>
  );
}

const typedOf = (edited: Edited): NewLogSource =>
  edited === "new"
    ? { product: "", category: "", label: "", format: "" }
    : { product: edited.product, category: edited.category, label: edited.label, format: edited.format };

function LogSourceForm({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: typedOf(edited), validate: fieldErrors(NewLogSource) });
  const save = useMutation({
    mutationFn: (typed: NewLogSource) =>
      edited === "new"
        ? call("admin/log-sources/add", typed)
        : call("admin/log-sources/change", { ...typed, id: edited.id, version: edited.version }),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["admin/log-sources"] }),
  });
  const { logSourceLineLengthMax, logSourceCategoryLengthMax } = contentLimits;
  return (
    <form noValidate onSubmit={form.onSubmit((typed) => save.mutate(typed))}>
      <Stack gap="md">
        {save.error && (
          <Alert color="red" role="alert">
            {save.error.message}
          </Alert>
        )}
        <TextInput
          label="Product"
          required
          data-autofocus
          maxLength={logSourceLineLengthMax}
          {...form.getInputProps("product")}
        />
        <TextInput
          label="Category"
          required
          maxLength={logSourceCategoryLengthMax}
          {...form.getInputProps("category")}
        />
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
