import { List } from "@mantine/core";
import type { SettlementPreview } from "../../../contract/reconcile.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Facts } from "../../components/panel-section.tsx";
import { FilePreview, FirstRows } from "../../forms/file-preview.tsx";
import { TakeInCsv } from "../../forms/take-in-csv.tsx";
import { showSums } from "./show-sums.ts";

/** Imports a settlement file, after a preview of its sums, its differences and the errors by line. */
export default function SettlementDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Import a settlement file" size="xl">
      {opened && (
        <TakeInCsv
          origin="As the gateway’s dashboard gives it"
          preview={(sent) => call("admin/reconcile/preview", sent)}
          takeIn={(sent) => call("admin/reconcile/import", sent)}
          refresh={["admin/reconcile", "admin/reconcile/files"]}
          show={(preview) => <Preview preview={preview} />}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function Preview({ preview }: { preview: SettlementPreview }) {
  const { rows, known, matched, findings, found, errors, wrong, note, sums } = preview;
  const says = `${rows} ${rows === 1 ? "row" : "rows"}: ${matched} as in our books, ${findings} differ, ${known} imported before`;
  const nothing = "Nothing can be imported until the file is correct.";
  return (
    <FilePreview
      says={says}
      note={note}
      sums={<Facts facts={showSums(sums)} />}
      errors={errors}
      wrong={wrong}
      nothing={nothing}
    >
      {findings > 0 && (
        <FirstRows shown={found.length} of={findings}>
          {found.map((row, index) => (
            <List.Item key={row.line ?? index}>
              {row.kind}: {row.says}
            </List.Item>
          ))}
        </FirstRows>
      )}
    </FilePreview>
  );
}
