import { Alert, Text } from "@mantine/core";
import type { StatementPreview } from "../../../contract/transfers.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { showRupees } from "../../components/display.ts";
import { FilePreview, FirstLines } from "../../forms/file-preview.tsx";
import { TakeInCsv } from "../../forms/take-in-csv.tsx";
import { shownWithOrders } from "../../orders/refresh-orders.ts";

/** Imports a bank statement, after a preview of what it pays and of the errors by line. */
export default function StatementDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Import a bank statement" size="xl">
      {opened && (
        <TakeInCsv
          origin="As your bank offers it, with the columns Date, Narration, UTR and Credit or the bank’s own names for them"
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
  const { found, leftOut, without, errors, wrong, note } = preview;
  const says = sayWhatComes(preview);
  const nothing = "Nothing can be imported until the file is correct.";
  return (
    <FilePreview says={says} note={note} errors={errors} wrong={wrong} nothing={nothing}>
      {leftOut > 0 && (
        <Alert
          variant="light"
          title={`${leftOut} ${leftOut === 1 ? "row that brought money has" : "rows that brought money have"} no reference`}
        >
          <Text fz="sm" mb="xs">
            Such as interest or a cheque. They are left out; please record those by hand that a customer has paid.
          </Text>
          <FirstLines rows={without} of={leftOut} />
        </Alert>
      )}
      {found.length > 0 && <FirstLines rows={found} of={preview.rows - preview.known} />}
    </FilePreview>
  );
}

function sayWhatComes({ rows, known, matched, skipped, total }: StatementPreview): string {
  const fresh = rows - known;
  return [
    fresh === 0 && "No new transfer.",
    fresh === 1 && `1 new transfer of ${showRupees(total)}.`,
    fresh > 1 && `${fresh} new transfers of ${showRupees(total)} in all.`,
    fresh > 0 && `${matched || "None"} ${matched > 1 ? "say what they pay" : "says what it pays"}.`,
    known > 0 && `${known} ${known === 1 ? "is" : "are"} here already.`,
    skipped > 0 && `${skipped} other ${skipped === 1 ? "row is" : "rows are"} left out.`,
  ]
    .filter(Boolean)
    .join(" ");
}
