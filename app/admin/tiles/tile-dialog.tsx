import { contentLimits } from "../../../contract/content-limits.ts";
import { Group, Image, NumberInput, SegmentedControl, Select, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Dialog } from "../../components/dialog.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { limits } from "../../../contract/limits.ts";
import { type TileIcon, tileIcons, tileImage } from "../../../contract/tile-icons.ts";
import { NewTile, type OperatorTile } from "../../../contract/tiles.ts";
import { call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { useNewest } from "../../forms/use-newest.ts";

type Edited = OperatorTile | "new";

interface Typed {
  seenBy: "all" | "one";
  email: string;
  title: string;
  text: string;
  icon: TileIcon;
  url: string;
  place: number | string;
  shown: boolean;
}

const typedOf = (edited: Edited): Typed =>
  edited === "new"
    ? { seenBy: "all", email: "", title: "", text: "", icon: "report", url: "", place: 10, shown: true }
    : {
        seenBy: edited.organization_name === null ? "all" : "one",
        email: edited.email ?? "",
        title: edited.title,
        text: edited.text,
        icon: edited.icon,
        url: edited.url,
        place: edited.place,
        shown: edited.shown,
      };

const asSent = ({ seenBy, email, ...typed }: Typed) =>
  ({ ...typed, email: seenBy === "all" ? null : email }) as NewTile;

export default function TileDialog({ edited, onClose }: { edited: Edited | null; onClose: () => void }) {
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === "new" ? "Add a tile" : "Edit the tile"}
      size="lg"
    >
      {edited && <TileForm key={edited === "new" ? "new" : edited.id} edited={edited} onClose={onClose} />}
    </Dialog>
  );
}

function TileForm({ edited: opened, onClose }: { edited: Edited; onClose: () => void }) {
  const [edited, look] = useNewest("admin/tiles", "id", opened);
  const check = fieldErrors(NewTile);
  const keptAs = edited === "new" ? "tile new" : `tile ${edited.id}`;
  const seen = edited === "new" ? 0 : edited.version;
  const validate = (typed: Typed) => check(asSent(typed));
  const { form, version, overtaken, leave } = useKeptForm(keptAs, typedOf(edited), onClose, validate, seen);
  const save = (typed: Typed) => {
    const tile = asSent(typed);
    if (edited === "new") return call("admin/tiles/add", tile);
    return call("admin/tiles/change", { ...tile, id: edited.id, version });
  };
  const button = edited === "new" ? "Add" : "Save";
  return (
    <DialogForm form={form} send={save} submit={button} refresh={["admin/tiles"]} onRefused={look} onClose={leave}>
      {overtaken && <Overtaken {...overtaken} />}
      <Fields form={form} />
    </DialogForm>
  );
}

function Fields({ form }: { form: UseFormReturnType<Typed> }) {
  const { seenBy, icon } = form.values;
  return (
    <>
      <SegmentedControl
        aria-label="Who sees it"
        data={[
          { value: "all", label: "All customers" },
          { value: "one", label: "One customer" },
        ]}
        {...form.getInputProps("seenBy")}
      />
      {seenBy === "one" && (
        <TextInput
          label="Customer's e-mail"
          description="Anybody’s at the organization; everybody there sees the tile"
          type="email"
          required
          maxLength={limits.emailLengthMax}
          {...form.getInputProps("email")}
        />
      )}
      <TextInput
        label="Title"
        required
        data-autofocus
        maxLength={contentLimits.tileTitleLengthMax}
        {...form.getInputProps("title")}
      />
      <TextInput
        label="Text"
        description="What it is for, in one line"
        required
        maxLength={contentLimits.tileTextLengthMax}
        {...form.getInputProps("text")}
      />
      <TextInput
        label="Address"
        description="It opens in a tab of its own"
        placeholder="https://"
        type="url"
        required
        maxLength={limits.toolUrlLengthMax}
        {...form.getInputProps("url")}
      />
      <Group align="flex-end" gap="md">
        <Select
          label="Picture"
          allowDeselect={false}
          data={Object.entries(tileIcons).map(([value, label]) => ({ value, label }))}
          comboboxProps={{ withinPortal: false }}
          {...form.getInputProps("icon")}
        />
        <Image src={tileImage(icon)} alt="" w={120} radius="md" />
      </Group>
      <NumberInput
        label="Order"
        description="Lower numbers come first"
        min={0}
        max={contentLimits.tilePlaceMax}
        allowDecimal={false}
        {...form.getInputProps("place")}
      />
      <Switch label="Shown on the dashboards" {...form.getInputProps("shown", { type: "checkbox" })} />
    </>
  );
}
