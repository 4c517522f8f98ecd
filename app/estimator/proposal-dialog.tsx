import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import PdfDialog from "../documents/pdf-dialog.tsx";

export interface ProposalDialogProps {
  opened: boolean;
  number: string;
  proposalToken: string;
  onClose: () => void;
}

/** The proposal of an estimate just sent; its address is fetched each time, as it is valid for five minutes. */
export default function ProposalDialog({ opened, number, proposalToken, onClose }: ProposalDialogProps) {
  const findAddress = async (signal: AbortSignal) =>
    (await call("estimator/proposal", { token: proposalToken }, signal)).signedUrl ?? "";
  return (
    <PdfDialog
      pdf={
        opened ? { fileName: number, title: `Proposal ${number}`, failure: messages.proposalFailed, findAddress } : null
      }
      onClose={onClose}
    />
  );
}
