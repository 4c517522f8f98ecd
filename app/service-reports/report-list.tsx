import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { monthInWords } from "../../contract/india-time.ts";
import { messages } from "../../contract/messages.ts";
import type { ServiceReport } from "../../contract/service-reports.ts";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { reportColumns, reportColumnsOfMany } from "./report-columns.tsx";

const hints = {
  "user/reports":
    "What was watched, what happened and what was promised, month by month, with the retention certificate.",
  "partner/reports": "The months of your customers, in your name, with their retention certificates.",
  "admin/reports": "The months of every customer, with their retention certificates.",
};

/** The monthly reports, with both PDFs. */
export function ReportList({ name }: { name: keyof typeof hints }) {
  const [pdf, setPdf] = useState<ViewedPdf | null>(null);
  return (
    <>
      <ListPage
        name={name}
        title="Reports"
        hint={hints[name]}
        searchLabel="Search reports"
        columns={name === "user/reports" ? reportColumns : reportColumnsOfMany}
        fileName="reports"
        empty="No reports yet"
        emptyHint="A month’s report is made on the first day after it, as soon as a contract runs or an engine is connected. It comes by e-mail, and stays here."
        failure="The reports could not be loaded."
        actions={(report) => <ReportPdfs report={report} onView={setPdf} />}
      />
      <PdfViewer pdf={pdf} onClose={() => setPdf(null)} />
    </>
  );
}

/** Buttons for a month's report and certificate; until they are made, it says so. */
export function ReportPdfs({ report, onView }: { report: ServiceReport; onView: (pdf: ViewedPdf) => void }) {
  const of = `${monthInWords(report.month)} of ${report.organization_name}`;
  const pdfs = [
    { label: "Report", fileName: report.pdf_url, title: `Service report ${of}` },
    { label: "Certificate", fileName: report.certificate_url, title: `Retention certificate ${of}` },
  ];
  return (
    <Group gap="xs">
      {pdfs.map(({ label, fileName, title }) => (
        <Button
          key={label}
          variant="default"
          disabled={fileName === null}
          aria-label={fileName === null ? `${title} is being made` : `View ${title}`}
          onClick={() => onView({ fileName, title, failure: messages.pdfFailed })}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
