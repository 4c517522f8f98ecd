import { brand } from "../../contract/brand.ts";
import { ReportList } from "../service-reports/report-list.tsx";

export const meta = () => [{ title: `Reports – ${brand.name}` }];

export default function Reports() {
  return <ReportList name="user/reports" />;
}
