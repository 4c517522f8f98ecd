import { List } from "@mantine/core";
import type { StatementPreview } from "../../../contract/transfers.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { showRupees } from "../../components/display.ts";
import { FilePreview, FirstRows } from "../../forms/file-preview.tsx";
import { TakeInCsv } from "../../forms/take-in-csv.tsx";
import { shownWithOrders } from "../../orders/refresh-orders.ts";

/** Takes in a bank statement: first it shows what it pays, and what is wrong in which line. */
export default function StatementDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Take in a bank statement" size="xl">
      {opened && (
        <TakeInCsv
          origin="From your bank, with the columns Date, Narration, UTR and Credit"
          preview={(sent) => call("admin/transfers/preview", sent)}
          takeIn={(sent) => call("admin/transfers/import", sent)}
          refresh={shownWithOrders}
          show={(preview) => <Preview preview={preview} />}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function Preview({ preview }: { preview: StatementPreview }) {
  const { rows, skipped, known, matched, total, found, errors, wrong, note } = preview;
  const says = [
    `${rows} ${rows === 1 ? "transfer" : "transfers"}, ${showRupees(total)} of them new`,
    `${matched} ${matched === 1 ? "says what it pays" : "say what they pay"}`,
    `${known} ${known === 1 ? "is" : "are"} here already`,
    `${skipped} other ${skipped === 1 ? "row is" : "rows are"} left out`,
  ].join(", ");
  const nothing = "Nothing can be taken in until the file is right.";
  return (
    <FilePreview says={says} note={note} errors={errors} wrong={wrong} nothing={nothing}>
      {found.length > 0 && (
        <FirstRows shown={found.length} of={rows - known}>
          {found.map((row) => (
            <List.Item key={row.line}>
              Line {row.line}: {row.says}
            </List.Item>
          ))}
        </FirstRows>
      )}
    </FilePreview>
  );
}
