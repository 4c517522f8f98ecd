import type { ServiceReport } from "../../contract/service-reports.ts";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import { ListSection } from "../lists/list-section.tsx";
import { reportColumns } from "./report-columns.tsx";
import { ReportPdfs } from "./report-list.tsx";

/** A customer's monthly reports in its panel. */
export function ReportsSection({
  name,
  email,
  onView,
}: {
  name: "partner/reports" | "admin/reports";
  email: string;
  onView: (pdf: ViewedPdf) => void;
}) {
  return (
    <ListSection
      name={name}
      input={{ email }}
      title="Reports"
      columns={reportColumns.filter(({ fileOnly }) => !fileOnly)}
      empty="No reports yet"
      emptyHint="A month’s report is made on the first day after it."
      failure="The reports could not be loaded."
      actions={(report: ServiceReport) => <ReportPdfs report={report} onView={onView} />}
    />
  );
}
