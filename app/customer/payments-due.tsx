import { Button } from "@mantine/core";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import type { Certificate, OpenDocument } from "../../contract/receivables.ts";
import { call } from "../api.ts";
import { PaymentsDueOf } from "../billing/payments-due.tsx";
import { ConfirmedAction } from "../components/confirmed-action.tsx";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Amount } from "../components/unbroken.tsx";
import type { AnnounceTransferProps } from "./announce-transfer.tsx";
import type { DeductOfInvoiceProps } from "./deduct-of-invoice.tsx";
import type { UploadCertificateProps } from "./upload-certificate.tsx";

export const meta = () => [{ title: `Payments Due – ${brand.name}` }];

const AnnounceTransfer = openedLater<AnnounceTransferProps>(() => import("./announce-transfer.tsx"), {
  document: null,
});
const DeductOfInvoice = openedLater<DeductOfInvoiceProps>(() => import("./deduct-of-invoice.tsx"), { document: null });
const UploadCertificate = openedLater<UploadCertificateProps>(() => import("./upload-certificate.tsx"), {
  certificate: null,
});

/** What the organisation has to pay by transfer, and the certificates awaited from it. */
export default function PaymentsDue() {
  const [announced, setAnnounced] = useState<OpenDocument | null>(null);
  const [deducted, setDeducted] = useState<OpenDocument | null>(null);
  const [uploaded, setUploaded] = useState<Certificate | null>(null);
  return (
    <>
      <PageTitle
        title="Payments Due"
        hint="What is to be paid by bank transfer, and certificates of tax that you deducted."
      />
      <PaymentsDueOf
        of={{ reader: "user" }}
        level={2}
        onDocument={(document) =>
          (document.deductible_of !== null || !document.open.startsWith("-")) && (
            <>
              {document.deductible_of && (
                <Button
                  aria-label={`We deduct tax: ${document.number}`}
                  variant="default"
                  onClick={() => setDeducted(document)}
                >
                  We deduct tax
                </Button>
              )}
              {!document.open.startsWith("-") && (
                <Button
                  aria-label={`I have transferred it: ${document.number}`}
                  variant="light"
                  onClick={() => setAnnounced(document)}
                >
                  I have transferred it
                </Button>
              )}
            </>
          )
        }
        onCertificate={(certificate) =>
          certificate.state !== "matched" &&
          certificate.percent !== 0 && (
            <Button
              variant="light"
              aria-label={`Upload certificate for ${certificate.invoice_number}`}
              onClick={() => setUploaded(certificate)}
            >
              Upload certificate
            </Button>
          )
        }
        onTransfer={(transfer) =>
          transfer.state === "announced" && (
            <ConfirmedAction
              label="Take back"
              about={transfer.utr}
              title={`Take back ${transfer.utr}?`}
              failed="It could not be taken back."
              act={() => call("user/transfers/withdraw", { id: transfer.id })}
              stale={[["user/payments-due"]]}
            >
              You told us that <Amount rupees={transfer.amount} /> were sent with this reference. If it was mistyped,
              take it back and tell us the right one. Nothing happens to the money.
            </ConfirmedAction>
          )
        }
      />
      <AnnounceTransfer document={announced} onClose={() => setAnnounced(null)} />
      <DeductOfInvoice document={deducted} onClose={() => setDeducted(null)} />
      <UploadCertificate certificate={uploaded} onClose={() => setUploaded(null)} />
    </>
  );
}
