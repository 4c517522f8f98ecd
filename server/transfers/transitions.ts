import type { CertificateState, TransferState } from "../../contract/receivables.ts";

/** Everything that can be learnt about a transfer. */
type TransferNews =
  // The customer says that it sent the money, which has not come yet.
  | "announced"
  // A statement has it, or an administrator recorded it.
  | "seen"
  // It is known what it pays; `matched over` if it exceeds what was due.
  | "matched"
  | "matched over"
  // A person says that it is no customer's money, or takes that back.
  | "set aside"
  | "put back";

/** Effects besides the transfer's own state. */
type TransferEffect = "enter the money" | "call a person";

interface TransferStep {
  state: TransferState;
  effects: TransferEffect[];
}

const to = (state: TransferState, ...effects: TransferEffect[]): TransferStep => ({ state, effects });

/** Already in the ledger: nothing enters it a second time. */
const entered = (state: "matched" | "partly_matched"): Record<TransferNews, TransferStep> => ({
  announced: to(state),
  seen: to(state),
  matched: to(state),
  "matched over": to(state),
  "set aside": to(state),
  "put back": to(state),
});

/** A transfer's state × news → its next state and what follows. */
export const transferTransitions: Record<TransferState, Record<TransferNews, TransferStep>> = {
  announced: {
    announced: to("announced"),
    seen: to("seen"),
    matched: to("matched", "enter the money"),
    "matched over": to("partly_matched", "enter the money", "call a person"),
    "set aside": to("announced"),
    "put back": to("announced"),
  },
  seen: {
    announced: to("seen"),
    seen: to("seen"),
    matched: to("matched", "enter the money"),
    "matched over": to("partly_matched", "enter the money", "call a person"),
    "set aside": to("set_aside"),
    "put back": to("seen"),
  },
  // Pays nothing until it is put back.
  set_aside: {
    announced: to("set_aside"),
    seen: to("set_aside"),
    matched: to("set_aside"),
    "matched over": to("set_aside"),
    "set aside": to("set_aside"),
    "put back": to("seen"),
  },
  partly_matched: entered("partly_matched"),
  matched: entered("matched"),
};

export type CertificateNews = "uploaded" | "matched" | "refused";

/** The state of a certificate × news → its next state; null if that is not allowed. */
export const certificateTransitions: Record<CertificateState, Record<CertificateNews, CertificateState | null>> = {
  awaited: { uploaded: "uploaded", matched: null, refused: null },
  // A new file replaces the one before while nobody has decided.
  uploaded: { uploaded: "uploaded", matched: "matched", refused: "refused" },
  refused: { uploaded: "uploaded", matched: null, refused: null },
  matched: { uploaded: null, matched: null, refused: null },
};
